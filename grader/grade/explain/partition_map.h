// SPDX-License-Identifier: Apache-2.0
// The memory partitions that the first wave of blocks touches first, on a device that derives the
// partition from the address.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/memory/access_trace.h"
#include "common/run/sequence.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::grade {

/// The first right measured case on a simulated device with plain partitions; nullptr if none
/// exists.
const CaseRun* partitioned_run(const std::vector<CaseRun>& runs);

/// A trace of the first request of each of the blocks that the device begins together.
memory::TraceLimits blocks_together(const CaseRun& run, const run::Sequence& sequence);

/// The map of `traced`, which is such a trace of `blocks` blocks; nullopt if no line touches a
/// matrix of the exercise.
std::optional<report::PartitionMap> partition_map(const CaseRun& run,
                                                  const std::vector<memory::TracedLine>& traced,
                                                  std::uint64_t blocks);

}  // namespace warpgrade::grader::grade
