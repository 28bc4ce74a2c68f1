// SPDX-License-Identifier: Apache-2.0
// A submission's text, as far as causes need it: statements by line, conditions, and subscripts.
//
// It reads tokens, not C++, and expands no macros. It only chooses between causes of a failure that
// the simulator has found; without a match the more general cause is named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::grade {

/// An index of the form `rows * length + column`.
struct MatrixIndex {
  std::string row;
  std::string length;  ///< One word.
  std::string column;
};

class KernelText {
 public:
  explicit KernelText(std::string_view source);

  /// The words and punctuators from the statement that contains `line`, one space between them. A
  /// head such as `for (...)` is part of the statement behind it.
  std::string statement_at(std::uint32_t line) const;
  bool has_word(std::string_view word) const;
  /// The parts of conditions that && and || separate: `x < width`. With the line that they are in.
  struct Test {
    std::uint32_t line = 0;
    std::string left;
    std::string comparison;  ///< "<", "<=", ">", ">=".
    std::string right;
  };
  const std::vector<Test>& tests() const { return tests_; }
  /// The comparisons that a statement in `line` probably depends on: in its line, or at most two
  /// lines before it.
  std::vector<Test> tests_near(std::uint32_t line) const;
  /// The text in the brackets behind the first `array` in `statement`; empty without it.
  static std::string subscript_of(std::string_view array, std::string_view statement);
  /// The statement behind `for (...)`, `if (...)`, `while (...)` and `else`.
  static std::string_view without_heads(std::string_view statement);
  /// How often the word is in the statement.
  static std::size_t count_of(std::string_view word, std::string_view statement);
  /// `subscript` as an index of a matrix; also the value of a variable that is the whole subscript.
  std::optional<MatrixIndex> matrix_index(std::string subscript) const;
  /// The text that a variable is initialised with; empty if it is unknown.
  std::string value_of(std::string_view variable) const;
  /// Whether a variable of type float or double is in a subscript.
  bool has_float_index() const;
  std::uint32_t float_index_line() const { return float_index_line_; }
  /// The names of arrays in shared memory.
  const std::vector<std::string>& shared_arrays() const { return shared_; }

 private:
  struct Word {
    std::string text;
    std::uint32_t line = 0;
  };
  void find_tests();
  void find_declarations();

  std::vector<Word> words_;
  std::vector<Test> tests_;
  std::vector<std::string> shared_;
  std::uint32_t float_index_line_ = 0;
};

}  // namespace warpgrade::grader::grade
