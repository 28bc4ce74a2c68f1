// SPDX-License-Identifier: Apache-2.0
// Typed access to a TOML table that leaves no key unread and no mistake without its place.
//
// A Table wraps one table of a parsed file. Each getter marks its key as known; finish() then
// reports the first key that nobody asked for, with the nearest known one. All failures are
// TomlErrors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/toml_text.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader {

using base::fail_at;
using base::parse_toml;
using base::TomlError;

class Table {
 public:
  /// `what` names the table in messages: "exercise `copy`".
  Table(const toml::table& table, std::string file, std::string what);

  std::string text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view otherwise);
  double number(std::string_view key);
  std::uint32_t count(std::string_view key);
  bool flag_or(std::string_view key, bool otherwise);
  Expression expression(std::string_view key);
  std::optional<Expression> optional_expression(std::string_view key);
  /// 1 to 3 extents; those not given are 1.
  std::array<Expression, 3> extents(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  /// A whole number, which is one, or an array of them.
  std::vector<std::int64_t> integers(std::string_view key);
  /// Finite numbers, at least one.
  std::vector<double> numbers(std::string_view key);
  Variables variables(std::string_view key);
  /// A table such as { width = "8192 + 32 * draw", height = 64 }.
  VariableExpressions variable_expressions(std::string_view key);
  Table table(std::string_view key);
  /// The tables of an array of tables; empty where the key is missing.
  std::vector<Table> tables(std::string_view key);
  /// One of `choices`; the index of the one given.
  std::size_t choice(std::string_view key, std::span<const std::string_view> choices);
  std::size_t choice_or(std::string_view key, std::span<const std::string_view> choices,
                        std::size_t otherwise);

  bool has(std::string_view key) const { return table_->contains(key); }
  /// Whether it is there and an array: [[key]] and not [key].
  bool is_list(std::string_view key) const;
  /// The same for a key that may be missing: it is a known one from now on.
  bool may_have(std::string_view key);
  /// Throws where a key was not asked for by any getter.
  void finish() const;
  /// Names the table better, once its id is read.
  void rename(std::string what) { what_ = std::move(what); }

  base::SourceLocation where(std::string_view key) const;
  base::SourceLocation where() const;
  [[noreturn]] void fail(std::string_view key, const std::string& why) const;

 private:
  const toml::node& require(std::string_view key);
  Expression as_expression(std::string_view key, const toml::node& node) const;
  /// The table of variables, whose names are such.
  const toml::table& require_variables(std::string_view key);
  [[noreturn]] void wrong_type(std::string_view key, const toml::node& node,
                               std::string_view expected) const;

  const toml::table* table_;
  std::string file_;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace warpgrade::grader
