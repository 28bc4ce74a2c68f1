// SPDX-License-Identifier: Apache-2.0
// Further orders of warps and blocks for a launch, besides the order by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/measure/measurement.h"

namespace warpgrade::grader::cases {

/// Thread instructions of a case that is graded in further orders: enough for all but the large
/// ones, and a tenth of a second for a whole exercise.
constexpr std::uint64_t kMostGradedInstructions = std::uint64_t{1} << 21;
/// Thread instructions of a launch that is profiled in further orders: half a second.
constexpr std::uint64_t kMostProfiledInstructions = std::uint64_t{1} << 23;

/// Seeds of the further orders for a launch that is right so far, which follow from `seed`; none if
/// it executes more than `most` thread instructions.
std::vector<std::uint64_t> schedule_seeds(std::uint64_t seed, const measure::Measurement& measured,
                                          std::uint64_t most);

/// Adds to each diagnostic in `found` how to reproduce it. Races need none: every order shows them.
void add_replay(std::vector<base::Diagnostic>& found, const std::string& replay);

}  // namespace warpgrade::grader::cases
