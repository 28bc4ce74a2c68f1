// SPDX-License-Identifier: Apache-2.0
// Limits the work of each simulated case of a submission, so that every grade ends soon.
//
// Work is counted (common/sim/work.h), so that a busy machine changes no verdict. The limit of a
// small case depends on its own size only: a case that is added to a manifest changes nothing for
// the others. All small cases together have a limit, too. Measured cases share another amount by
// the bytes of their buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/grade/plan/place.h"

namespace warpgrade::grader::grade {

/// Units of work that all small cases of an exercise may use, in all their runs: twelve seconds of
/// one core.
constexpr std::uint64_t kSmallWork = std::uint64_t{5} << 29;
/// The limit of one small case: at least two thirds of a second of one core, and at most six.
constexpr std::uint64_t kLeastCaseWork = std::uint64_t{1} << 27;
constexpr std::uint64_t kMostCaseWork = kSmallWork / 2;
/// The same for all measured cases: twenty-five seconds of one core.
constexpr std::uint64_t kMeasuredWork = std::uint64_t{5} << 30;

/// The same for a large case if all its blocks have to run: three seconds of one core.
constexpr std::uint64_t kLargeWork = std::uint64_t{5} << 27;

/// A block that uses more than this part of its case's limit never ends. Several blocks run at a
/// time, so one without an end is found that much sooner.
constexpr std::uint64_t kBlocksInACase = 4;

/// The limit of one block of a case that may use `work`, and for which the course's reference
/// executes `reference_instructions` (0: unknown). A thread that alone does the work of all, one
/// element after another, needs less than a tenth of it.
std::uint64_t block_limit(std::uint64_t work, std::uint64_t reference_instructions);

/// The limit of a small case, for which the course's reference executes `reference_instructions`
/// (0: unknown).
std::uint64_t small_limit(const Place& place, std::uint64_t reference_instructions);

/// The limit of each of `places`, in their order: simulated cases of an exercise, all small ones or
/// all measured ones.
std::vector<std::uint64_t> work_limits(const std::vector<Place>& places);

}  // namespace warpgrade::grader::grade
