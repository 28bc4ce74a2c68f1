// SPDX-License-Identifier: Apache-2.0
// Why everybody passes a gate on this card, as facts.
#pragma once

#include <string>
#include <variant>

namespace warpgrade::grader {

/// The card's memory has no room for a size that its caches do not hold.
struct TooLittleMemory {
  friend bool operator==(const TooLittleMemory&, const TooLittleMemory&) = default;
};

/// The course's own solution does not clear the bound with room to spare.
struct NearBound {
  double low = 0;  ///< What it reached, by the calibration of `date`.
  double high = 0;
  double bound = 0;
  std::string date;

  friend bool operator==(const NearBound&, const NearBound&) = default;
};

/// The bound is a share of what the course's solution reaches, and that is not known.
struct UnknownShare {
  std::string case_name;
  std::string trouble;  ///< Why it is not known; empty if only this case is missing.

  friend bool operator==(const UnknownShare&, const UnknownShare&) = default;
};

using Waiver = std::variant<TooLittleMemory, NearBound, UnknownShare>;

/// "gate speed is waived on this card: ...".
std::string waiver_text(const Waiver& waiver, const std::string& gate);

}  // namespace warpgrade::grader
