// SPDX-License-Identifier: Apache-2.0
// The reasons for which a gate is waived on a card.
#pragma once

#include <string>
#include <variant>

namespace warpgrade::grader::grade {

/// The card's memory is too small for a size that exceeds its caches.
struct TooLittleMemory {
  friend bool operator==(const TooLittleMemory&, const TooLittleMemory&) = default;
};

/// The course's own solution is too close to the bound.
struct NearBound {
  double low = 0;  ///< Interval of its speed in the calibration of `date`.
  double high = 0;
  double bound = 0;
  std::string date;

  friend bool operator==(const NearBound&, const NearBound&) = default;
};

/// The bound is a share of the speed of the course's solution, which is unknown.
struct UnknownShare {
  std::string case_name;
  std::string trouble;  ///< The reason; empty if only this case is missing.

  friend bool operator==(const UnknownShare&, const UnknownShare&) = default;
};

using Waiver = std::variant<TooLittleMemory, NearBound, UnknownShare>;

/// "gate speed is waived on this card: ...".
std::string waiver_text(const Waiver& waiver, const std::string& gate);

}  // namespace warpgrade::grader::grade
