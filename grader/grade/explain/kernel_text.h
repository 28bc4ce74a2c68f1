// SPDX-License-Identifier: Apache-2.0
// A submission's text, as far as causes need it: statements by line, conditions, and subscripts.
//
// It reads tokens, not C++, and expands no macros. It only chooses between causes of a failure that
// the simulator has found; without a match the more general cause is named.
#pragma once

#include <cstdint>
#include <initializer_list>
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

/// A kernel of the exercise, and the names of its parameters in the manifest.
struct KernelSignature {
  std::string kernel;  ///< Without template arguments.
  std::vector<std::string> parameters;
};

class KernelText {
 public:
  /// Parameters get their names of the manifest, which findings use, in `kernels` and in functions
  /// that are called with them.
  explicit KernelText(std::string_view source, const std::vector<KernelSignature>& kernels = {});

  struct Word {
    std::string text;
    std::uint32_t line = 0;
  };
  const std::vector<Word>& words() const { return words_; }
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
  /// The same with `==`.
  const std::vector<Test>& equalities() const { return equalities_; }
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
  /// The line of a cast to 64 bits around a product of 32 bits whose upper half is used; 0 without
  /// one.
  std::uint32_t late_widening_line() const;
  /// The line of a quotient of two whole numbers that is 0, such as `1 / 5`; 0 without one.
  std::uint32_t integer_quotient_line() const;
  /// The first line with one of the words, the first of them that the text has; 0 without one.
  std::uint32_t line_of_word(std::initializer_list<std::string_view> words) const;
  /// The names of arrays in shared memory.
  const std::vector<std::string>& shared_arrays() const { return shared_; }

 private:
  void expand_macros(std::string_view source);
  void rename_parameters(const std::vector<KernelSignature>& kernels);
  void rename(std::size_t head, const std::vector<std::string>& names);
  std::vector<std::string> arguments_of_calls(std::size_t head) const;
  void find_tests();
  void find_declarations();

  std::vector<Word> words_;
  std::vector<Test> tests_;
  std::vector<Test> equalities_;
  std::vector<std::string> shared_;
  std::uint32_t float_index_line_ = 0;
};

}  // namespace warpgrade::grader::grade
