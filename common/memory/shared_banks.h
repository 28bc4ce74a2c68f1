// SPDX-License-Identifier: Apache-2.0
// Banks: in how many passes (wavefronts) the shared memory serves one access of a warp.
//
// Pure functions of addresses, mask and size, by generation (device::SharedBanks):
// - kThirtyTwo: 32 banks of 4 bytes. Passes are the most different words in a bank; lanes on one
//   word share it. Requests of 8 bytes a lane run as two half-warps, of 16 as four quarter-warps.
// - kKepler32: bank (address / 4) mod 32, column address / 256. A bank hands out one column of 8
//   bytes a clock, so passes are the most different columns in a bank, for all widths.
// - kKepler64: bank (address / 8) mod 32, and passes are the most different 8-byte words in a bank.
// - kSixteenHalfWarp: 16 banks of 4 bytes for each half-warp. Wide words are cut into requests of 4
//   bytes; each pass takes one broadcast word (that of the lowest lane left) and one lane a bank.
// Sources: CUDA C Programming Guide 5.5, appendix G, and counters of an H200 (tests/golden/h200).
#pragma once

#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/request.h"

namespace warpgrade::memory {

struct SharedAccess {
  std::uint32_t passes = 0;
  std::uint32_t ideal = 0;  ///< Passes that as many lanes of this width need without a conflict.

  friend bool operator==(const SharedAccess&, const SharedAccess&) = default;
};

/// Passes of one access; addresses are offsets into the block's shared memory.
/// With `atomic`, lanes on one word follow each other instead of sharing it [estimate].
SharedAccess shared_access(device::SharedBanks rule, const Request& request, bool atomic = false);

/// Passes repeat when all addresses move by so many bytes: the span of all banks at most.
constexpr std::uint64_t kBankPeriod = 256;

}  // namespace warpgrade::memory
