// SPDX-License-Identifier: Apache-2.0
// The tag stage of a unified L1 and shared memory: assigns lines to tag banks.
//
// Four banks work in parallel, one line per clock each. Each of the two bits of a line's bank is
// the exclusive or of bits of the line's number. On an H200 all bits up to bit 21 (lines 256 MB
// apart) were measured: of four lines whose numbers differ in two bits, two share a bank if both
// bits have the same effect (tests/evidence/golden/l1_stages). For an A100, a search found the rule
// that gives its clocks at 126 strides (RRZE-HPC/gpu-benches, gpu-strides): every second bit has
// the same effect.
#pragma once

#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/request.h"

namespace warpgrade::memory {

inline constexpr std::uint32_t kTagBankCount = 4;

/// The bank, 0 to 3, of the 128-byte line with this number (address / 128).
std::uint32_t tag_bank(std::uint64_t line, device::TagBanks rule);

/// Clocks of the tag stage for a request: the number of lines in the busiest bank.
std::uint32_t tag_clocks(const Request& request, device::TagBanks rule);

}  // namespace warpgrade::memory
