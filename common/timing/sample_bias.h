// SPDX-License-Identifier: Apache-2.0
// Compares the work of the traced blocks with the work of the others.
//
// The time model follows a sample of the blocks and extrapolates. A kernel that knows the sample
// could let these blocks idle and the others do their work. Counters see every block, so their
// results are compared with the trace: instructions, sectors below L1 and shared memory wavefronts,
// each per mean block.
#pragma once

#include <cstdint>

#include "common/memory/counters.h"
#include "common/run/runner.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// The work of a mean executed block (of `blocks`) relative to a mean traced one, for the measure
/// that differs most; at least 1. Work that no traced block does counts as done once by all of them
/// together.
double sample_bias(const Trace& trace, const memory::Counters& counters, const run::Result& result,
                   std::uint64_t blocks);

/// Whether the traced blocks do similar work, so that they may represent the others: at most a
/// quarter of them execute less than half or more than twice the mean, and none has four times the
/// mean instructions or sectors. A few such blocks can take longer than all others, and a sample
/// may miss them.
bool is_even(const Trace& trace);

}  // namespace warpgrade::timing
