// SPDX-License-Identifier: Apache-2.0
// The tag stage of an L1 that is one with shared memory: which of its banks looks up which line.
//
// The banks work side by side, one line a clock each. A line's bank is the exclusive or of the
// digits of its number, written to the base of the banks: so lines side by side, and those of most
// strides, are spread evenly. Found by search among linear rules for the one that gives the clocks
// of an A100's loads at 126 strides (RRZE-HPC/gpu-benches, gpu-strides; 3 % off on average); an
// H200's are the same within a few percent (tests/evidence/golden/l1_stages).
#pragma once

#include <cstdint>

#include "common/memory/request.h"

namespace warpgrade::memory {

/// Clocks that `banks` of tags, a power of two, take for a request: the lines of 128 bytes of the
/// busiest one.
std::uint32_t tag_clocks(const Request& request, std::uint32_t banks);

}  // namespace warpgrade::memory
