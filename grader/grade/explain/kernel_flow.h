// SPDX-License-Identifier: Apache-2.0
// A submission's loops, conditions and assignments: from a line that the simulator has found to the
// lines that its index, its value or its execution depends on.
//
// Like KernelText it reads tokens, not C++, and expands no macros. A definition that it does not
// see leaves the line of the finding as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/explain/kernel_text.h"

namespace warpgrade::grader::grade {

class KernelFlow {
 public:
  /// A `for`, `while`, `do`, `if` or `else` with what it executes. Positions are those of words.
  struct Branch {
    bool is_loop = false;
    std::uint32_t line = 0;  ///< The line of its keyword.
    std::string head;        ///< The text in its parentheses; for `else` that of its `if`.
    std::size_t begin = 0;   ///< Its keyword.
    std::size_t body = 0;
    std::size_t end = 0;  ///< One past its last word.
  };
  /// `name[...] = value`, or a declaration.
  struct Assignment {
    std::uint32_t line = 0;
    std::string name;    ///< The variable or array: "tile" for tile[y][x].
    std::string target;  ///< All that is on the left side, without the type.
    std::string type;    ///< The type of a declaration.
    std::string value;
    bool is_element = false;   ///< It stores through a subscript or a pointer.
    bool is_compound = false;  ///< `+=` and so on.
    std::size_t at = 0;        ///< Position of the operator.
  };

  explicit KernelFlow(const KernelText& text);

  /// The loops, or the conditions, that `line` is in; the innermost one is the first.
  std::vector<const Branch*> loops_around(std::uint32_t line) const;
  std::vector<const Branch*> conditions_around(std::uint32_t line) const;
  /// A loop without a body that waits until another thread changes what it reads.
  std::vector<const Branch*> polls() const;
  const std::vector<Branch>& branches() const { return branches_; }
  const std::vector<Assignment>& assignments() const { return assignments_; }

  /// The lines of `words` in the range.
  std::vector<std::uint32_t> lines_of(const std::set<std::string_view>& words, std::uint32_t first,
                                      std::uint32_t last) const;
  /// The loop contains one of `words`, in its own body or in a loop within.
  bool contains(const Branch& branch, std::string_view word) const;
  std::string body_of(const Branch& branch) const;
  /// The line of the first statement that it executes.
  std::uint32_t first_line_in(const Branch& branch) const;

  /// The assignments to `name` before `line` in the same function; the nearest one is the first.
  std::vector<const Assignment*> before(std::string_view name, std::uint32_t line) const;
  /// The assignments that the names in `text` at `line` come from, directly or through others; the
  /// nearest one is the first.
  std::vector<const Assignment*> sources_of(std::string_view text, std::uint32_t line) const;
  /// Whether `text` at `line` depends on `word`, directly or through assignments.
  bool depends_on(std::string_view text, std::uint32_t line, std::string_view word) const;
  /// The line of a constant outside of all functions: `constexpr int kLong = 100;`; 0 without it.
  std::uint32_t constant(std::string_view name) const;
  /// The array behind a pointer of the kernel's own: "in" for `const float* row = in + y * width`.
  std::string array_behind(std::string_view name, std::uint32_t line) const;
  /// The first and the last line of the function that `line` is in, or of the one with this name.
  struct Lines {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  Lines function_at(std::uint32_t line) const;
  Lines function_called(std::string_view name) const;

  /// Variables of 8 or 16 bits; no pointers and no elements of memory.
  struct Narrow {
    std::string name;
    std::uint32_t line = 0;
    std::uint64_t values = 0;  ///< How many it can have from 0 on.
  };
  const std::vector<Narrow>& narrow() const { return narrow_; }

 private:
  struct Function {
    std::string name;
    std::size_t begin = 0;  ///< The first word of its head.
    std::size_t end = 0;
  };
  std::size_t closing(std::size_t open) const;
  std::size_t end_of_statement(std::size_t first) const;
  std::size_t position_of(std::uint32_t line) const;
  std::vector<const Branch*> around(std::uint32_t line, bool loops) const;
  const Function* function_of(std::size_t at) const;
  void find_functions();
  void find_branches();
  void find_assignments();
  void find_narrow();
  std::optional<Assignment> assignment_at(std::size_t op) const;
  std::string joined(std::size_t begin, std::size_t end) const;

  const std::vector<KernelText::Word>& words_;
  std::vector<Function> functions_;
  std::vector<Branch> branches_;
  std::vector<Assignment> assignments_;
  std::vector<Narrow> narrow_;
};

/// Whether `text` has an operator of arithmetic outside of brackets.
bool has_arithmetic(std::string_view text);
/// The words of a text that has one space between them.
std::vector<std::string_view> words_of(std::string_view text);
/// Whether the word is an identifier or a keyword.
bool is_identifier(std::string_view word);

}  // namespace warpgrade::grader::grade
