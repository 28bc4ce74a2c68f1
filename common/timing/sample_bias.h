// SPDX-License-Identifier: Apache-2.0
// Whether the blocks that were traced do as much as the others.
//
// The time model follows a sample of the blocks and takes it for all of them. A kernel that knows
// which ones could let these idle and the others do their work. Counters see every block, so what
// they saw is held against the trace: instructions, sectors below L1 and wavefronts of the shared
// memory, each for a mean block.
#pragma once

#include <cstdint>

#include "common/memory/counters.h"
#include "common/run/runner.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// How many times as much the mean of `blocks` executed blocks does as the mean traced one, of
/// that in which they differ most; at least 1. What no traced block does at all counts as done once
/// by all of them together.
double sample_bias(const Trace& trace, const memory::Counters& counters, const run::Result& result,
                   std::uint64_t blocks);

/// Whether the traced blocks do about the same work, so that they may stand for others: at most a
/// quarter of them execute less than half or more than twice the mean.
bool is_even(const Trace& trace);

}  // namespace warpgrade::timing
