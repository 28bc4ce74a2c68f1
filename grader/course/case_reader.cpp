// SPDX-License-Identifier: Apache-2.0
#include "grader/course/case_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"
#include "grader/text/messages.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

/// Cases of one exercise, at most.
constexpr std::size_t kMostCases = 1000;

// Keys of a case that are not variables. Only cases outside of sets have `name`.
constexpr std::array<std::string_view, 5> kCaseKeys = {"name", "measured", "secret", "sampled",
                                                       "timed"};
// Names with a meaning in the expressions of shapes and gates.
constexpr std::array<std::string_view, 5> kReserved = {"x", "bytes_in", "bytes_out", "elements_in",
                                                       "elements_out"};

bool is_case_key(std::string_view key) {
  return std::ranges::find(kCaseKeys, key) != kCaseKeys.end();
}

// The variable that has a list of values, one for each case; without a name if none has.
struct Sweep {
  std::string name;
  std::vector<double> values;
};

// The variables of a case before evaluation.
struct WrittenVariables {
  text::Variables numbers;
  text::VariableExpressions expressions;
  Sweep sweep;
};

double variable_number(const text::Table& table, std::string_view key, const toml::node& node) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) {
    base::fail_at(table.where(key, node),
                  fmt::format("{}: `{}`: must be a number, an expression in quotes or an array of "
                              "numbers, but is {}",
                              table.what(), base::escape_controls(key), base::type_name(node)));
  }
  return *value;
}

[[noreturn]] void fail_second_list(const text::Table& table, std::string_view key,
                                   const Sweep& first) {
  table.fail(key, fmt::format("`{}` has several values already", first.name));
}

// Reads the list `key` into `sweep`, which must be empty.
void read_sweep(text::Table& table, const std::string& key, Sweep& sweep) {
  if (!sweep.name.empty()) fail_second_list(table, key, sweep);
  sweep.name = key;
  for (const auto* one : table.elements(key)) {
    sweep.values.push_back(variable_number(table, key, *one));
  }
  if (sweep.values.empty()) table.fail(key, "must not be empty");
}

WrittenVariables read_variables(text::Table& table) {
  WrittenVariables out;
  for (const auto& key : table.keys()) {
    if (is_case_key(key)) continue;
    const std::span<const std::string_view> keys(kCaseKeys);
    if (!text::is_variable_name(key)) table.fail(key, std::string(text::kVariableRule));
    if (std::ranges::find(kReserved, key) != kReserved.end()) {
      table.fail(key, "has a meaning in shapes or gates; give the variable another name");
    }
    const auto elements = table.elements(key);
    if (table.is_list(key)) {
      read_sweep(table, key, out.sweep);
    } else if (elements.front()->is_string()) {
      out.expressions.emplace(key, table.expression(key));
    } else if (elements.front()->is_boolean()) {
      table.fail(key, fmt::format("unknown key{}", text::did_you_mean(key, keys)));
    } else {
      out.numbers.emplace(key, variable_number(table, key, *elements.front()));
    }
  }
  return out;
}

// Sizes whose speed is graded, as `timed` has them.
struct WrittenTimed {
  text::VariableExpressions expressions;
  Sweep sweep;
};

std::optional<WrittenTimed> read_timed(text::Table& table) {
  if (!table.accept("timed")) return std::nullopt;
  auto timed = table.table("timed");
  WrittenTimed out;
  for (const auto& key : timed.keys()) {
    if (timed.is_list(key)) {
      read_sweep(timed, key, out.sweep);
    } else {
      out.expressions.emplace(key, timed.expression(key));
    }
  }
  return out;
}

// The size whose speed is graded. The variable with a list has `value`, and so have variables whose
// expression is its name. Variables that `timed` lacks keep the case's values.
text::VariableExpressions timed_variables(const text::Table& table, const WrittenTimed& timed,
                                          double value, const text::Variables& variables) {
  const auto where = table.where("timed");
  auto out = timed.expressions;
  if (!timed.sweep.name.empty()) {
    const text::Expression number{fmt::format("{}", value), where};
    for (auto& [name, expression] : out) {
      if (expression.text() == timed.sweep.name) expression = number;
    }
    out.emplace(timed.sweep.name, number);
  }
  for (const auto& [name, expression] : out) {
    if (variables.contains(name)) continue;
    const auto names = text::keys_of(variables);
    table.fail("timed", fmt::format("the case has no variable `{}`{}; it has: {}", name,
                                    text::did_you_mean(name, names), text::joined(names)));
  }
  for (const auto& [name, own] : variables) {
    out.try_emplace(name, text::Expression{fmt::format("{}", own), where});
  }
  return out;
}

Case read_one(text::Table& table, const std::string& name, text::Variables variables) {
  Case out;
  out.name = name;
  out.variables = std::move(variables);
  out.measured = table.flag_or("measured", false);
  out.secret = table.flag_or("secret", false);
  if (out.secret && out.measured) table.fail("secret", "a measured case cannot be secret");
  out.sampled = table.flag_or("sampled", false);
  if (out.sampled && out.measured) table.fail("sampled", "a measured case has `timed`");
  return out;
}

// One case, or one for each value in the list of an executed or a timed size.
std::vector<Case> read_all(text::Table& table, const std::string& name,
                           const WrittenVariables& written,
                           const std::optional<WrittenTimed>& timed) {
  std::vector<Case> out;
  const auto& own = written.sweep;
  const bool sweeps_timed = timed && !timed->sweep.name.empty();
  if (sweeps_timed && !own.name.empty()) fail_second_list(table, "timed", own);
  const auto& values = sweeps_timed ? timed->sweep.values : own.values;
  const auto add = [&](const std::string& full_name, double value) {
    auto variables = written.numbers;
    if (!own.name.empty()) variables.emplace(own.name, value);
    const auto numbers = variables;
    for (const auto& [variable, expression] : written.expressions) {
      variables.insert_or_assign(variable, evaluate(expression, numbers));
    }
    auto& item = out.emplace_back(read_one(table, full_name, std::move(variables)));
    if (!timed) return;
    if (!item.measured) table.fail("timed", "only a measured case is timed");
    item.timed_variables = timed_variables(table, *timed, value, item.variables);
  };
  if (values.empty()) add(name, 0);
  if (values.size() > kMostCases) {
    table.fail(sweeps_timed ? "timed" : own.name,
               fmt::format("makes more than {} cases", kMostCases));
  }
  for (const double value : values) add(fmt::format("{}_{}", name, value), value);
  return out;
}

GivenCases read_given(text::Table table, const std::string& name) {
  table.rename(fmt::format("case `{}`", base::escape_controls(name)));
  GivenCases out;
  out.where = table.where();
  const auto written = read_variables(table);
  out.cases = read_all(table, name, written, read_timed(table));
  table.finish();
  return out;
}

void check_variables(const Case& first, const Case& item, const base::SourceLocation& where) {
  const auto same_names = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::ranges::equal(first.variables, item.variables, same_names)) return;
  base::fail_at(where, fmt::format("case `{}`: the variables must be those of the first case: {}",
                                   item.name, text::joined(text::keys_of(first.variables))));
}

const std::vector<GivenCases>& set_called(const text::Table& table, const std::string& name,
                                          const CaseSets& sets) {
  const auto found = sets.find(name);
  if (found != sets.end()) return found->second;
  const auto names = text::keys_of(sets);
  table.fail("cases", fmt::format("unknown set `{}`{}; {}", base::escape_controls(name),
                                  text::did_you_mean(name, names),
                                  names.empty() ? "the lab has none: write [cases.matrices], then "
                                                  "square = { width = 96, height = 96 }"
                                                : "the lab has: " + text::joined(names)));
}

}  // namespace

CaseSets read_case_sets(text::Table& lab) {
  CaseSets out;
  if (!lab.accept("cases")) return out;
  auto sets = lab.table("cases");
  for (const auto& name : sets.keys()) {
    auto set = sets.table(name);
    set.rename(fmt::format("cases `{}`", base::escape_controls(name)));
    auto& cases = out[name];
    std::set<std::string> seen;
    for (const auto& id : set.keys()) {
      check_id(set, id, id, seen);
      auto table = set.table(id);
      if (table.has("name")) table.fail("name", "the key of a case in a set is its name");
      cases.push_back(read_given(std::move(table), id));
    }
  }
  return out;
}

std::vector<GivenCases> read_cases(text::Table& table, const CaseSets& sets) {
  std::vector<GivenCases> out;
  if (!table.has("cases")) table.texts("cases");  // Throws: the key is missing.
  for (const auto* node : table.elements("cases")) {
    if (const auto name = node->value_exact<std::string>()) {
      for (const auto& given : set_called(table, *name, sets)) out.push_back(given);
      continue;
    }
    auto own = table.within("cases", *node, "case");
    const auto name = own.text("name");
    std::set<std::string> none;
    check_id(own, "name", name, none);
    out.push_back(read_given(std::move(own), name));
  }
  std::set<std::string> seen;
  for (const auto& given : out) {
    for (const auto& item : given.cases) {
      check_variables(out.front().cases.front(), item, given.where);
      if (!seen.insert(item.name).second) {
        base::fail_at(given.where, fmt::format("case `{}`: is there twice", item.name));
      }
    }
  }
  if (out.empty()) table.fail("cases", "must not be empty");
  if (seen.size() > kMostCases) table.fail("cases", fmt::format("are more than {}", kMostCases));
  return out;
}

}  // namespace warpgrade::grader::course
