// SPDX-License-Identifier: Apache-2.0
// Small changes of a program, each of which could be the correction of a student's mistake.
//
// In: a module that was compiled without optimization. In it each operator, constant and variable
// of the source is an operand of one instruction, which has its line. Out: edits, each with its
// kind, its line and the uses of the changed value. An edit applies to all instances of a template.
// The simulator decides which edits make a result right (repair.h).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/ptx/module.h"
#include "grader/grade/explain/value_uses.h"

namespace warpgrade::grader::grade {

enum class EditKind : std::uint8_t {
  kFloat,       ///< An index in double in place of float.
  kStart,       ///< A value that begins elsewhere: once, or again in each pass.
  kComparison,  ///< `<` for `<=`, `x < n - 1` for `x < n`, and so on.
  kRounding,    ///< A division that rounds up.
  kExchange,    ///< Two variables exchanged in all places of some lines.
  kBits,        ///< % for & with a mask; a shift by another number of bits.
  kSign,        ///< Signed for unsigned.
  kOffset,      ///< One more or less.
  kBound,       ///< Twice or half of the fixed number at which a loop ends.
  kConstant,
  kOperator,
  kLayout,    ///< x + y * length for x * other + y.
  kFixed,     ///< A size of the launch for a number.
  kVariable,  ///< Another variable in one place.
  kOrder,     ///< Two statements exchanged.
  kFunction,  ///< Another function of the toolkit.
  kBranch,    ///< A condition that always or never holds.
  kExit,      ///< Threads that leave before a barrier stay.
  kGuard,     ///< Accesses outside of arrays are left out; stores beyond a size can be, too.
};

/// The order in which edits are tried. Specific ones are first: the more places an edit has, the
/// more often it is right by chance.
enum class Rank : std::uint8_t {
  kSuggestedPair,  ///< Exchanged indices, if the wrong values are those of other elements.
  kFloatIndex,
  kSuggestedExchange,  ///< Other exchanges, for such values.
  kStart,
  kComparison,  ///< Another comparison; a partial last group.
  kLimit,       ///< Limits, guards, rounding, remainders, steps; functions of the toolkit.
  kLength,      ///< A length that the kernel has elsewhere; the element beside; exits.
  kNeighbour,   ///< A number one more or less; signs, sums, factors; whole exchanges.
  kNumber,      ///< Other numbers, bounds, layouts, orders.
  kOperator,    ///< Operators; other indices and parameters.
  kVariable,    ///< Other values; partial exchanges.
  kResult,      ///< One more or less in any result.
  kPlace,       ///< An index in the place of a variable.
  kBranch,
  kTogether,  ///< Only in several lines at once.
};

struct Edit {
  EditKind kind{};
  Rank rank{};
  std::uint32_t line = 0;  ///< In the submission.
  Uses uses;
  bool ignores_bad_addresses = false;  ///< Loads outside of arrays return 0.
  /// The change in words. For alike instructions of a function, the same text is the same change.
  std::string text;
  struct Site {
    std::uint32_t function = 0;
    std::uint32_t instruction = 0;
    auto operator<=>(const Site&) const = default;
  };
  std::vector<Site> sites;  ///< Changed from the last to the first.
  std::function<void(ptx::Function& function, std::uint32_t at)> change;
};

/// The module with the edit.
ptx::Module edited(const ptx::Module& module, const Edit& edit);

/// The module with a barrier of the block before the instruction.
ptx::Module with_barrier(const ptx::Module& module, const Edit::Site& before);

/// Whether a run has executed the instruction.
using IsExecuted = std::function<bool(std::uint32_t function, std::uint32_t instruction)>;

/// The edits of the instructions that are in `file` and were executed; the most specific kinds are
/// first, and each kind is in the order of the text (edits/finder.cpp).
std::vector<Edit> edits_of(const ptx::Module& module, std::string_view file,
                           const IsExecuted& is_executed);

}  // namespace warpgrade::grader::grade
