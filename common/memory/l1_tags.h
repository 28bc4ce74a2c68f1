// SPDX-License-Identifier: Apache-2.0
// The tag stage of an L1 that is one with shared memory: which of its banks looks up which line.
//
// Four banks work side by side, one line a clock each. Each of the two bits of a line's bank is the
// exclusive or of bits of the line's number. Which bits these are was measured on an H200 for all
// of them up to bit 21 (lines 256 MB apart): of four lines whose numbers differ in two bits, two
// share a bank where both bits count for the same (tests/evidence/golden/l1_stages). An A100's
// were found by search for the rule that gives its clocks at 126 strides (RRZE-HPC/gpu-benches,
// gpu-strides): every second bit counts for the same.
#pragma once

#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/request.h"

namespace warpgrade::memory {

inline constexpr std::uint32_t kTagBankCount = 4;

/// The bank, 0 to 3, of the line of 128 bytes with this number (its address divided by 128).
std::uint32_t tag_bank(std::uint64_t line, device::TagBanks rule);

/// Clocks that the banks take for a request: the lines of the busiest one.
std::uint32_t tag_clocks(const Request& request, device::TagBanks rule);

}  // namespace warpgrade::memory
