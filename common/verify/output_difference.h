// SPDX-License-Identifier: Apache-2.0
// The first wrong place of an output, as fields and as a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::verify {

/// The likely origin of a wrong value.
enum class CauseKind : std::uint8_t {
  kUnknown,
  kUnwritten,      ///< The content from before the launch.
  kNan,            ///< A NaN that the kernel computed.
  kWholeNumbers,   ///< A value passed through an integer type.
  kHalf,           ///< A value passed through a half.
  kNarrowInteger,  ///< A value passed through an integer of 8 or 16 bits.
  kTransposed,     ///< The input's element with row and column exchanged.
  kNeighbour,      ///< The input's element beside the right one.
  kRowLength,      ///< A wrong row length in an index.
  kOtherElement,   ///< Another element of the input.
  kOtherPlace,     ///< The value of another element of the output.
  kZero,           ///< A zero that the input does not contain.
  kTwice,          ///< Twice the expected value, in all wrong elements.
  kCount,          ///< A small integer, too small or too large: a count.
  kInaccurate,     ///< A float that is too far from the expected one, for no reason above.
};

/// How far a wrong element is from the expected one.
struct Deviation {
  double relative = 0;          ///< (got - expected) / |expected|; 0 if it is not finite.
  std::int64_t difference = 0;  ///< got - expected, of a count.
  std::uint64_t wrong = 0;      ///< Number of wrong elements of the output.
  std::uint64_t elements = 0;   ///< Number of its elements.
};

struct OutputDifference {
  std::string element;  ///< "out[3][5]"; the output's name if only its sum is compared.
  std::vector<std::uint64_t> indices;  ///< {3, 5}; empty if only the sum is compared.
  std::string expected;
  std::string got;
  std::string cause;  ///< The likely cause, or empty; see cause.h.
  std::string text;   ///< All fields as a sentence for reports.
  CauseKind kind{};
  Deviation deviation;
};

}  // namespace warpgrade::verify
