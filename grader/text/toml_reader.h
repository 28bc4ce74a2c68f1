// SPDX-License-Identifier: Apache-2.0
// Typed access to a TOML table. Every mistake has a place, and no key stays unread.
//
// A Table wraps one table of a parsed file. Each getter marks its key as known; finish() reports
// the first unknown key with the nearest known one. All failures are TomlErrors.
//
// A table can inherit missing keys from others (inherit_from). Strings can contain placeholders,
// {name}, and a value can be a table by device or an array by case (Choice).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/toml_text.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::text {

/// The choices that make one value of several: see Table::choose().
struct Choice {
  std::map<std::string, std::string, std::less<>> placeholders;  ///< {name} in strings.
  std::string device;               ///< A table by device: this key of it, or `other`.
  std::optional<std::size_t> item;  ///< An array by case: this element.
};

/// Whether expressions can have a variable `name`. kVariableRule is the rule for messages.
bool is_variable_name(std::string_view name);
constexpr std::string_view kVariableRule = "a variable is small letters, digits and _";

/// A value of a table by name, with its place.
struct Named {
  std::string name;  ///< "p.out" of { p.out = ... }, too.
  const toml::node* node = nullptr;
  base::SourceLocation where;
};

/// Values to show for keys that are missing or of a wrong type: {"block", "[32, 8]"}.
using KeyExamples = std::map<std::string_view, std::string_view>;

class Table {
 public:
  /// `what` names the table in messages: "exercise `copy`".
  Table(const toml::table& table, std::string file, std::string what);

  /// Inherits missing keys from `base`, except those in `own`.
  void inherit_from(const Table& base, std::initializer_list<std::string_view> own);
  /// From now on strings have their placeholders replaced, and values are chosen from tables and
  /// arrays.
  void choose(Choice choice) { choice_ = std::move(choice); }

  /// From now on messages about this table and those within show `examples`, which must outlive
  /// them.
  void give_examples(const KeyExamples& examples) { examples_ = &examples; }

  std::string text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view otherwise);
  double number(std::string_view key);
  std::uint32_t count(std::string_view key);
  bool flag_or(std::string_view key, bool otherwise);
  Expression expression(std::string_view key);
  std::optional<Expression> optional_expression(std::string_view key);
  /// 1 to 3 extents; missing ones are 1.
  std::array<Expression, 3> extents(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  /// A whole number, or an array of whole numbers.
  std::vector<std::int64_t> integers(std::string_view key);
  /// Finite numbers, at least one.
  std::vector<double> numbers(std::string_view key);
  Variables variables(std::string_view key);
  /// The values of a table by name in the order in which they are written; a table within one is
  /// part of the name. Empty if the key is missing.
  std::vector<Named> named(std::string_view key);
  /// The text or number for `choice`; nullopt if the key is missing.
  std::optional<std::string> text_of(std::string_view key, const Choice& choice);
  /// The elements of an array, or a single value; empty if the key is missing.
  std::vector<const toml::node*> elements(std::string_view key);
  /// A string, or an array of strings.
  std::vector<std::string> text_or_texts(std::string_view key);
  /// `node`, which belongs to this table, as an expression.
  Expression expression_of(std::string_view key, const toml::node& node) const {
    return as_expression(key, node);
  }
  /// The table in `node`, which belongs to this one.
  Table within(std::string_view key, const toml::node& node, std::string what) const;
  Table table(std::string_view key);
  /// The tables of an array of tables; empty if the key is missing.
  std::vector<Table> tables(std::string_view key);
  /// The index of the given one of `choices`.
  std::size_t choice(std::string_view key, std::span<const std::string_view> choices);
  std::size_t choice_or(std::string_view key, std::span<const std::string_view> choices,
                        std::size_t otherwise);

  /// Its keys in the order of the file; inherited ones follow.
  std::vector<std::string> keys() const;
  bool has(std::string_view key) const { return find(key).node != nullptr; }
  /// Whether the key is in the table itself and not inherited.
  bool has_itself(std::string_view key) const { return layers_.front().table->contains(key); }
  /// Whether the key exists and is an array: [[key]] and not [key].
  bool is_list(std::string_view key) const;
  bool has_table(std::string_view key) const;
  /// The tables of this key, own and inherited, the nearest first, down to the table that has
  /// `other`.
  std::vector<Table> tables_beside(std::string_view key, std::string_view other);
  /// The inherited strings of this key, the nearest first.
  std::vector<std::string> inherited_texts(std::string_view key) const;
  /// Marks the key as known, and returns whether the table has it.
  bool accept(std::string_view key);
  /// Throws if there is a key that no getter has read.
  void finish() const;
  /// Renames the table in messages once its id is known.
  void rename(std::string what) { what_ = std::move(what); }

  base::SourceLocation where(std::string_view key) const;
  base::SourceLocation where() const;
  base::SourceLocation where(std::string_view key, const toml::node& node) const;
  const std::string& what() const { return what_; }
  [[noreturn]] void fail(std::string_view key, const std::string& why) const;

 private:
  struct Layer {
    const toml::table* table = nullptr;
    std::string file;
    std::vector<std::string> hidden;  ///< Keys that are not inherited.
  };
  struct Found {
    const toml::node* node = nullptr;
    const Layer* layer = nullptr;
  };
  Found find(std::string_view key) const;
  const std::string& file_of(std::string_view key) const;
  const toml::node& require(std::string_view key);
  const toml::node& of_device(std::string_view key, const toml::node& node) const;
  const toml::node& require_one(std::string_view key);
  std::string replaced(std::string_view key, const std::string& text) const;
  std::optional<std::string> as_text(std::string_view key, const toml::node& node) const;
  Expression as_expression(std::string_view key, const toml::node& node) const;
  /// The table at `key`, whose keys must be names of variables.
  const toml::table& require_variables(std::string_view key);
  /// "; an example: block = [32, 8]"; empty without an example.
  std::string example(std::string_view key) const;
  /// A table within this one.
  Table made_within(std::string_view key, const toml::node& node, std::string what) const;
  [[noreturn]] void wrong_type(std::string_view key, const toml::node& node,
                               std::string_view expected) const;

  std::vector<Layer> layers_;  ///< The table itself first.
  Choice choice_;
  const KeyExamples* examples_ = nullptr;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace warpgrade::grader::text
