// SPDX-License-Identifier: Apache-2.0
// The sizes at which two kernels are compared: limits on named variables, and values drawn within
// them.
// In: "width=1..300", "height=1..4096/width", "pitch=width+1", and numbers that occur in the code
// of the kernels. Out: values of all variables, the smallest first. Kernels change their way at
// powers of two, at the ends of the limits, and at numbers that their code contains. So each of
// these values and its neighbours are drawn before random ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/text/numbers.h"

namespace warpgrade::grader::equivalence {

/// A variable and its limits, expressions of earlier variables.
struct SizeLimits {
  std::string name;
  text::Expression least;
  text::Expression most;
  text::Expression step;  ///< Values are `least` plus multiples of it.
};

/// Reads NAME=LEAST..MOST[:STEP], or NAME=VALUE for a value that is given or follows from earlier
/// variables. Throws base::UsageError.
SizeLimits parse_size(std::string_view text);

/// The values that `limits` permits for a variable whose predecessors have the values of `earlier`.
struct SizeRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t step = 1;

  /// The largest permitted value that is at most `value`, and at least `least`.
  std::uint64_t at_most(std::uint64_t value) const;
};

/// Throws base::UsageError if the limits are not whole numbers in ascending order.
SizeRange range_of(const SizeLimits& limits, const text::Variables& earlier);

/// At most `most` different sets of values, those of the largest product last: all variables at
/// their least and all at their most, then those that the head of this file names, then random
/// ones. `constants` are the numbers in the code.
std::vector<text::Variables> draw_sizes(const std::vector<SizeLimits>& limits,
                                        const std::vector<std::uint64_t>& constants,
                                        std::uint64_t seed, std::size_t most);

/// The number of elements that an array over all sizes would have, which orders cases.
double product(const text::Variables& sizes);

/// All variables at their most.
text::Variables largest_sizes(const std::vector<SizeLimits>& limits);

/// Smaller values than those of `from`, each with one variable reduced, smallest first, within the
/// limits: the candidates for a smaller case.
std::vector<text::Variables> smaller_sizes(const std::vector<SizeLimits>& limits,
                                           const text::Variables& from);

}  // namespace warpgrade::grader::equivalence
