// SPDX-License-Identifier: Apache-2.0
// Longer than 400 lines: every getter needs the same private lookup in layers, choice by device and
// case, and error with a place.
#include "grader/text/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"
#include "common/base/toml_text.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::text {
namespace {

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_before(const toml::source_region& a, const toml::source_region& b) {
  return a.begin.line != b.begin.line ? a.begin.line < b.begin.line
                                      : a.begin.column < b.begin.column;
}

// The entries in the order of the file; toml++ sorts a table by name.
std::vector<std::pair<const toml::key*, const toml::node*>> as_written(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> out;
  for (const auto& [key, value] : table) out.emplace_back(&key, &value);
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) {
    return is_before(a.first->source(), b.first->source());
  });
  return out;
}

void add_named(const toml::table& table, const std::string& prefix, const std::string& file,
               std::vector<Named>& out) {
  for (const auto& [key, value] : as_written(table)) {
    const auto name = prefix + std::string(key->str());
    if (const auto* within = value->as_table()) {
      add_named(*within, name + '.', file, out);
    } else {
      out.push_back({name, value, base::place_in(file, key->source())});
    }
  }
}

}  // namespace

bool is_variable_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_name_letter);
}

Table::Table(const toml::table& table, std::string file, std::string what)
    : what_(std::move(what)) {
  layers_.push_back({&table, std::move(file), {}});
}

void Table::inherit_from(const Table& base, std::initializer_list<std::string_view> own) {
  known_.insert(known_.end(), base.known_.begin(), base.known_.end());
  for (auto layer : base.layers_) {
    layer.hidden.insert(layer.hidden.end(), own.begin(), own.end());
    layers_.push_back(std::move(layer));
  }
}

Table::Found Table::find(std::string_view key) const {
  for (const auto& layer : layers_) {
    const bool is_hidden =
        std::find(layer.hidden.begin(), layer.hidden.end(), key) != layer.hidden.end();
    const auto* node = is_hidden ? nullptr : layer.table->get(key);
    if (node != nullptr) return {node, &layer};
  }
  return {};
}

const std::string& Table::file_of(std::string_view key) const {
  const auto found = find(key);
  return (found.layer == nullptr ? &layers_.front() : found.layer)->file;
}

base::SourceLocation Table::where() const {
  return base::place_in(layers_.front().file, layers_.front().table->source());
}

base::SourceLocation Table::where(std::string_view key) const {
  const auto found = find(key);
  return found.node == nullptr ? where() : where(key, *found.node);
}

base::SourceLocation Table::where(std::string_view key, const toml::node& node) const {
  return base::place_in(file_of(key), node.source());
}

void Table::fail(std::string_view key, const std::string& why) const {
  base::fail_at(where(key), fmt::format("{}: `{}`: {}", what_, base::escape_controls(key), why));
}

void Table::wrong_type(std::string_view key, const toml::node& node,
                       std::string_view expected) const {
  base::fail_at(where(key, node),
                fmt::format("{}: `{}`: must be {}, but is {}{}", what_, base::escape_controls(key),
                            expected, base::type_name(node), example(key)));
}

std::string Table::example(std::string_view key) const {
  if (examples_ == nullptr) return {};
  const auto found = examples_->find(key);
  return found == examples_->end() ? "" : fmt::format("; an example: {} = {}", key, found->second);
}

const toml::node& Table::require(std::string_view key) {
  known_.emplace_back(key);
  const auto found = find(key);
  if (found.node != nullptr) return *found.node;
  // A misspelt key may be the reason, so name it.
  const std::array<std::string_view, 1> wanted = {key};
  for (const auto& layer : layers_) {
    for (const auto& [present, value] : *layer.table) {
      if (present.str() != key && !base::nearest(present.str(), wanted).empty() &&
          std::find(known_.begin(), known_.end(), present.str()) == known_.end()) {
        base::fail_at(base::place_in(layer.file, present.source()),
                      fmt::format("{}: unknown key `{}`, did you mean `{}`?", what_,
                                  base::escape_controls(present.str()), key));
      }
    }
  }
  base::fail_at(where(), fmt::format("{}: the key `{}` is missing{}", what_, key, example(key)));
}

// The value for this device, if `node` has one value per device.
const toml::node& Table::of_device(std::string_view key, const toml::node& node) const {
  const auto* by_device = node.as_table();
  if (by_device == nullptr || choice_.device.empty()) return node;
  const auto* one = by_device->get(choice_.device);
  if (one == nullptr) one = by_device->get("other");
  if (one == nullptr) {
    base::fail_at(where(key, node), fmt::format("{}: `{}`: has no value for `{}`, nor for `other`",
                                                what_, key, choice_.device));
  }
  return *one;
}

// The value for this device and case.
const toml::node& Table::require_one(std::string_view key) {
  const auto& node = of_device(key, require(key));
  const auto* by_case = node.as_array();
  if (by_case == nullptr || !choice_.item) return node;
  if (*choice_.item >= by_case->size()) {
    base::fail_at(where(key, node), fmt::format("{}: `{}`: has {} values, but there are more cases",
                                                what_, key, by_case->size()));
  }
  return (*by_case)[*choice_.item];
}

std::string Table::replaced(std::string_view key, const std::string& text) const {
  if (choice_.placeholders.empty()) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto end = i + 1;
    while (text[i] == '{' && end < text.size() && is_name_letter(text[end])) ++end;
    if (text[i] != '{' || end == i + 1 || end == text.size() || text[end] != '}') {
      out += text[i];
      continue;
    }
    const auto name = text.substr(i + 1, end - i - 1);
    const auto found = choice_.placeholders.find(name);
    if (found == choice_.placeholders.end()) {
      const auto names = keys_of(choice_.placeholders);
      fail(key, fmt::format("there is nothing for {{{}}}{}; there is: {}", name,
                            did_you_mean(name, names), joined(names)));
    }
    out += found->second;
    i = end;
  }
  return out;
}

std::optional<std::string> Table::as_text(std::string_view key, const toml::node& node) const {
  const auto value = node.value_exact<std::string>();
  if (!value) return std::nullopt;
  return replaced(key, *value);
}

std::string Table::text(std::string_view key) {
  const auto& node = require_one(key);
  const auto value = as_text(key, node);
  if (!value) wrong_type(key, node, "a string");
  if (value->empty()) fail(key, "must not be empty");
  return *value;
}

std::string Table::text_or(std::string_view key, std::string_view otherwise) {
  known_.emplace_back(key);
  return has(key) ? text(key) : std::string(otherwise);
}

double Table::number(std::string_view key) {
  const auto& node = require_one(key);
  if (!node.is_number()) wrong_type(key, node, "a number");
  const auto value = node.value<double>().value_or(NAN);
  if (!std::isfinite(value)) fail(key, "must be finite");
  return value;
}

std::uint32_t Table::count(std::string_view key) {
  const auto& node = require_one(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value) wrong_type(key, node, "a whole number");
  if (*value < 0 || *value > 1000000) fail(key, "must be from 0 to 1000000");
  return static_cast<std::uint32_t>(*value);
}

bool Table::flag_or(std::string_view key, bool otherwise) {
  known_.emplace_back(key);
  if (!has(key)) return otherwise;
  const auto& node = require_one(key);
  const auto value = node.value_exact<bool>();
  if (!value) wrong_type(key, node, "true or false");
  return *value;
}

Expression Table::as_expression(std::string_view key, const toml::node& node) const {
  const auto where = this->where(key, node);
  if (const auto value = as_text(key, node)) return {*value, where};
  if (const auto value = node.value_exact<std::int64_t>())
    return {fmt::format("{}", *value), where};
  if (const auto value = node.value_exact<double>(); value && std::isfinite(*value)) {
    return {fmt::format("{}", *value), where};
  }
  wrong_type(key, node, "a number or an expression in quotes");
}

Expression Table::expression(std::string_view key) { return as_expression(key, require_one(key)); }

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
  const auto& node = of_device(key, require(key));
  const auto* array = node.as_array();
  if (array == nullptr) wrong_type(key, node, "an array of strings");
  std::vector<std::string> out;
  for (const auto& element : *array) {
    const auto value = as_text(key, element);
    if (!value) wrong_type(key, element, "an array of strings");
    if (value->empty())
      base::fail_at(where(key, element),
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
      base::fail_at(where(key, element), fmt::format("{}: `{}`: must be finite", what_, key));
    }
  }
  if (out.empty()) fail(key, "must not be empty");
  return out;
}

bool Table::accept(std::string_view key) {
  known_.emplace_back(key);
  return has(key);
}

const toml::table& Table::require_variables(std::string_view key) {
  const auto& node = require(key);
  const auto* table = node.as_table();
  if (table == nullptr) wrong_type(key, node, "a table such as { width = 64, height = 32 }");
  for (const auto& [name, value] : *table) {
    if (!is_variable_name(name.str())) {
      base::fail_at(base::place_in(file_of(key), name.source()),
                    fmt::format("{}: `{}`: {}", what_, key, kVariableRule));
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
      base::fail_at(where(key, value), fmt::format("{}: `{}`: must be finite", what_, text));
    }
  }
  return out;
}

std::vector<std::string> Table::keys() const {
  std::vector<std::string> out;
  for (const auto& layer : layers_) {
    for (const auto& [key, value] : as_written(*layer.table)) {
      const std::string name(key->str());
      if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

bool Table::is_list(std::string_view key) const {
  const auto* node = find(key).node;
  return node != nullptr && node->is_array();
}

bool Table::has_table(std::string_view key) const {
  const auto* node = find(key).node;
  return node != nullptr && node->is_table();
}

std::vector<Table> Table::tables_beside(std::string_view key, std::string_view other) {
  known_.emplace_back(key);
  std::vector<Table> out;
  for (const auto& layer : layers_) {
    const auto* node = layer.table->get(key);
    if (node != nullptr && !node->is_table()) wrong_type(key, *node, "a table");
    if (node != nullptr) {
      out.emplace_back(*node->as_table(), layer.file, fmt::format("{}, {}", what_, key));
    }
    if (layer.table->contains(other)) break;
  }
  return out;
}

std::vector<std::string> Table::inherited_texts(std::string_view key) const {
  std::vector<std::string> out;
  for (std::size_t i = 1; i < layers_.size(); ++i) {
    const auto* node = layers_[i].table->get(key);
    if (node == nullptr) continue;
    if (auto text = node->value_exact<std::string>()) out.push_back(*std::move(text));
  }
  return out;
}

Table Table::table(std::string_view key) {
  const auto& node = require(key);
  if (!node.is_table()) wrong_type(key, node, "a table");
  return made_within(key, node, fmt::format("{}, {}", what_, key));
}

Table Table::within(std::string_view key, const toml::node& node, std::string what) const {
  if (!node.is_table()) wrong_type(key, node, "a table");
  return made_within(key, node, std::move(what));
}

Table Table::made_within(std::string_view key, const toml::node& node, std::string what) const {
  Table out(*node.as_table(), file_of(key), std::move(what));
  out.examples_ = examples_;
  return out;
}

std::vector<Named> Table::named(std::string_view key) {
  known_.emplace_back(key);
  std::vector<Named> out;
  if (!has(key)) return out;
  const auto& node = require(key);
  if (!node.is_table()) wrong_type(key, node, "a table");
  add_named(*node.as_table(), "", file_of(key), out);
  return out;
}

std::optional<std::string> Table::text_of(std::string_view key, const Choice& choice) {
  known_.emplace_back(key);
  if (!has(key)) return std::nullopt;
  auto chosen = *this;
  chosen.choose(choice);
  return chosen.as_expression(key, chosen.require_one(key)).text();
}

std::vector<const toml::node*> Table::elements(std::string_view key) {
  known_.emplace_back(key);
  std::vector<const toml::node*> out;
  if (!has(key)) return out;
  const auto& node = require(key);
  if (!node.is_array()) return {&node};
  for (const auto& element : *node.as_array()) out.push_back(&element);
  return out;
}

std::vector<std::string> Table::text_or_texts(std::string_view key) {
  if (is_list(key)) return texts(key);
  return {text(key)};
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
    out.push_back(made_within(key, element, std::string(key)));
  }
  return out;
}

std::size_t Table::choice(std::string_view key, std::span<const std::string_view> choices) {
  const auto given = text(key);
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found == choices.end()) {
    fail(key, not_one_of(given, choices));
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
  for (const auto& layer : layers_) {
    for (const auto& [key, value] : *layer.table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      base::fail_at(base::place_in(layer.file, key.source()),
                    fmt::format("{}: unknown key `{}`{}", what_, base::escape_controls(key.str()),
                                did_you_mean(key.str(), known)));
    }
  }
}

}  // namespace warpgrade::grader::text
