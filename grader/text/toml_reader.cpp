// SPDX-License-Identifier: Apache-2.0
#include "grader/text/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
Table::Table(const toml::table& table, std::string file, std::string what)
    : table_(&table), file_(std::move(file)), what_(std::move(what)) {}

base::SourceLocation Table::where() const { return base::place_in(file_, table_->source()); }

base::SourceLocation Table::where(std::string_view key) const {
  const auto* node = table_->get(key);
  return node == nullptr ? where() : base::place_in(file_, node->source());
}

void Table::fail(std::string_view key, const std::string& why) const {
  fail_at(where(key), fmt::format("{}: `{}`: {}", what_, base::escape_controls(key), why));
}

void Table::wrong_type(std::string_view key, const toml::node& node,
                       std::string_view expected) const {
  fail_at(
      base::place_in(file_, node.source()),
      fmt::format("{}: `{}`: must be {}, but is {}", what_, key, expected, base::type_name(node)));
}

const toml::node& Table::require(std::string_view key) {
  known_.emplace_back(key);
  const auto* node = table_->get(key);
  if (node == nullptr) {
    // A misspelt key is why this one is missing: name it.
    for (const auto& [present, value] : *table_) {
      const std::array<std::string_view, 1> wanted = {key};
      if (present.str() != key && !base::nearest(present.str(), wanted).empty() &&
          std::find(known_.begin(), known_.end(), present.str()) == known_.end()) {
        fail_at(base::place_in(file_, present.source()),
                fmt::format("{}: unknown key `{}`, did you mean `{}`?", what_,
                            base::escape_controls(present.str()), key));
      }
    }
    fail_at(where(), fmt::format("{}: the key `{}` is missing", what_, key));
  }
  return *node;
}

std::string Table::text(std::string_view key) {
  const auto& node = require(key);
  const auto value = node.value_exact<std::string>();
  if (!value) wrong_type(key, node, "a string");
  if (value->empty()) fail(key, "must not be empty");
  return *value;
}

std::string Table::text_or(std::string_view key, std::string_view otherwise) {
  known_.emplace_back(key);
  return has(key) ? text(key) : std::string(otherwise);
}

double Table::number(std::string_view key) {
  const auto& node = require(key);
  if (!node.is_number()) wrong_type(key, node, "a number");
  const auto value = node.value<double>().value_or(NAN);
  if (!std::isfinite(value)) fail(key, "must be finite");
  return value;
}

std::uint32_t Table::count(std::string_view key) {
  const auto& node = require(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value) wrong_type(key, node, "a whole number");
  if (*value < 0 || *value > 1000000) fail(key, "must be from 0 to 1000000");
  return static_cast<std::uint32_t>(*value);
}

bool Table::flag_or(std::string_view key, bool otherwise) {
  known_.emplace_back(key);
  if (!has(key)) return otherwise;
  const auto& node = require(key);
  const auto value = node.value_exact<bool>();
  if (!value) wrong_type(key, node, "true or false");
  return *value;
}

Expression Table::as_expression(std::string_view key, const toml::node& node) const {
  const auto where = base::place_in(file_, node.source());
  if (const auto value = node.value_exact<std::string>()) return {*value, where};
  if (const auto value = node.value_exact<std::int64_t>())
    return {fmt::format("{}", *value), where};
  if (const auto value = node.value_exact<double>(); value && std::isfinite(*value)) {
    return {fmt::format("{}", *value), where};
  }
  wrong_type(key, node, "a number or an expression in quotes");
}

Expression Table::expression(std::string_view key) { return as_expression(key, require(key)); }

std::optional<Expression> Table::optional_expression(std::string_view key) {
  known_.emplace_back(key);
  if (!has(key)) return std::nullopt;
  return expression(key);
}

std::array<Expression, 3> Table::extents(std::string_view key) {
  const auto& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) wrong_type(key, node, "an array of 1 to 3 extents");
  if (array->empty() || array->size() > 3) fail(key, "must have 1 to 3 extents");
  const Expression one{"1", where(key)};
  std::array<Expression, 3> out = {one, one, one};
  for (std::size_t i = 0; i < array->size(); ++i) out.at(i) = as_expression(key, (*array)[i]);
  return out;
}

std::vector<std::string> Table::texts(std::string_view key) {
  const auto& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) wrong_type(key, node, "an array of strings");
  std::vector<std::string> out;
  for (const auto& element : *array) {
    const auto value = element.value_exact<std::string>();
    if (!value) wrong_type(key, element, "an array of strings");
    if (value->empty())
      fail_at(base::place_in(file_, element.source()),
              fmt::format("{}: `{}`: a string must not be empty", what_, key));
    out.push_back(*value);
  }
  return out;
}

std::vector<std::int64_t> Table::integers(std::string_view key) {
  const auto& node = require(key);
  if (const auto value = node.value_exact<std::int64_t>()) return {*value};
  const auto* array = node.as_array();
  if (array == nullptr) wrong_type(key, node, "a whole number or an array of them");
  std::vector<std::int64_t> out;
  for (const auto& element : *array) {
    const auto value = element.value_exact<std::int64_t>();
    if (!value) wrong_type(key, element, "an array of whole numbers");
    out.push_back(*value);
  }
  return out;
}

std::vector<double> Table::numbers(std::string_view key) {
  const auto& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) wrong_type(key, node, "an array of numbers");
  std::vector<double> out;
  for (const auto& element : *array) {
    if (!element.is_number()) wrong_type(key, element, "an array of numbers");
    out.push_back(element.value<double>().value_or(NAN));
    if (!std::isfinite(out.back())) {
      fail_at(base::place_in(file_, element.source()),
              fmt::format("{}: `{}`: must be finite", what_, key));
    }
  }
  if (out.empty()) fail(key, "must not be empty");
  return out;
}

bool Table::may_have(std::string_view key) {
  known_.emplace_back(key);
  return has(key);
}

const toml::table& Table::require_variables(std::string_view key) {
  const auto& node = require(key);
  const auto* table = node.as_table();
  if (table == nullptr) wrong_type(key, node, "a table such as { width = 64, height = 32 }");
  for (const auto& [name, value] : *table) {
    const auto letters = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const auto text = name.str();
    const bool plain = !text.empty() && letters(text.front()) &&
                       std::all_of(text.begin(), text.end(),
                                   [&](char c) { return letters(c) || (c >= '0' && c <= '9'); });
    if (!plain) {
      fail_at(base::place_in(file_, name.source()),
              fmt::format("{}: `{}`: a variable is small letters, digits and _", what_, key));
    }
  }
  return *table;
}

Variables Table::variables(std::string_view key) {
  Variables out;
  for (const auto& [name, value] : require_variables(key)) {
    const auto text = name.str();
    if (!value.is_number()) wrong_type(text, value, "a number");
    out.emplace(text, value.value<double>().value_or(NAN));
    if (!std::isfinite(out.find(text)->second)) {
      fail_at(base::place_in(file_, value.source()),
              fmt::format("{}: `{}`: must be finite", what_, text));
    }
  }
  return out;
}

VariableExpressions Table::variable_expressions(std::string_view key) {
  VariableExpressions out;
  for (const auto& [name, value] : require_variables(key)) {
    out.emplace(name.str(), as_expression(name.str(), value));
  }
  return out;
}

bool Table::is_list(std::string_view key) const {
  const auto* node = table_->get(key);
  return node != nullptr && node->is_array();
}

Table Table::table(std::string_view key) {
  const auto& node = require(key);
  if (!node.is_table()) wrong_type(key, node, "a table");
  return {*node.as_table(), file_, fmt::format("{}, {}", what_, key)};
}

std::vector<Table> Table::tables(std::string_view key) {
  known_.emplace_back(key);
  std::vector<Table> out;
  if (!has(key)) return out;
  const auto& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) wrong_type(key, node, fmt::format("an array of tables, [[{}]]", key));
  for (const auto& element : *array) {
    if (!element.is_table()) wrong_type(key, element, fmt::format("tables, [[{}]]", key));
    out.emplace_back(*element.as_table(), file_, std::string(key));
  }
  return out;
}

std::size_t Table::choice(std::string_view key, std::span<const std::string_view> choices) {
  const auto given = text(key);
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found == choices.end()) {
    fail(key, fmt::format("there is no `{}`{}; it is one of: {}", base::escape_controls(given),
                          did_you_mean(given, choices), joined(choices)));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

std::size_t Table::choice_or(std::string_view key, std::span<const std::string_view> choices,
                             std::size_t otherwise) {
  known_.emplace_back(key);
  return has(key) ? choice(key, choices) : otherwise;
}

void Table::finish() const {
  std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const auto& [key, value] : *table_) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    fail_at(base::place_in(file_, key.source()),
            fmt::format("{}: unknown key `{}`{}", what_, base::escape_controls(key.str()),
                        did_you_mean(key.str(), known)));
  }
}

}  // namespace warpgrade::grader
