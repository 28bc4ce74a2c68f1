// SPDX-License-Identifier: Apache-2.0
// The data of a report's pictures: runs the submission once more, with a trace.
// In: a plan and its cases. Out: requests of source lines with their costs, wrong elements, the
// partitions that the first blocks touch, and the parts of the time.
// It traces the case that failed, or else the first measured one. A few blocks suffice, unless
// its results are wrong and must be mapped, or its launches depend on each other. Pictures never
// affect the grade.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/place.h"
#include "common/device/profile.h"
#include "common/memory/access_trace.h"
#include "common/run/runner.h"
#include "grader/cases/student_terms.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::grade {

// The cost of one traced request by the memory rules of a device.

/// Counts as the counters of `profile` would; atomics have the forms of the traced launch.
report::RequestCost cost_of(const device::Profile& profile, const memory::TracedLine& line,
                            const memory::TracedRequest& request);

// Traced requests of a source line with their costs, as a picture shows them.

report::PicturedDevice pictured_device(const device::Profile& profile);

/// The requests of `traced` with a cost per device. Shared arrays have the shape of their
/// declaration in `arrays`; other memory has none.
report::PicturedLine pictured_line(memory::TracedLine traced, const base::Dim3& grid,
                                   const std::vector<report::PicturedDevice>& devices,
                                   const std::vector<cases::DeclaredArray>& arrays);

// The memory partitions that the first wave of blocks touches first, on a device that derives the
// partition from the address.

/// The first right measured case on a simulated device with plain partitions; nullptr if none
/// exists.
const PlannedCase* partitioned_case(const std::vector<PlannedCase>& cases);

/// A trace of the first request of each of the blocks that the device begins together.
memory::TraceLimits blocks_together(const PlannedCase& planned, const run::Sequence& sequence);

/// The map of `traced`, which is such a trace of `blocks` blocks; nullopt if no line touches a
/// matrix of the exercise.
std::optional<report::PartitionMap> partition_map(const PlannedCase& planned,
                                                  const std::vector<memory::TracedLine>& traced,
                                                  std::uint64_t blocks);

/// Pictures of the submission whose cases are `cases`. Returns nullopt if no case was
/// simulated, or if none can be simulated again.
std::optional<report::Pictures> draw_pictures(const Plan& plan,
                                              const std::vector<PlannedCase>& cases);

}  // namespace warpgrade::grader::grade
