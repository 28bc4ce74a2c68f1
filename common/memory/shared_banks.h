// SPDX-License-Identifier: Apache-2.0
// Banks: the number of wavefronts in which shared memory serves one access of a warp.
//
// Pure functions of addresses, mask and size, by generation (device::SharedBanks):
// - kThirtyTwo: 32 banks of 4 bytes. Wavefronts are the most distinct words in a bank; lanes on
//   one word share it. Accesses of 8 bytes per lane run as two half-warps, of 16 bytes as four
//   quarter-warps, if they have an active lane. Loads join two neighbouring groups if lanes come
//   in pairs: see joins_groups(). Conflicts are the wavefronts minus the groups.
//   Atomics: lanes on one word do not share it, so wavefronts are the most lanes in a bank; a
//   compare and swap does each pass twice, which does not count as a conflict.
// - kKepler32: bank (address / 4) mod 32, column address / 256. A bank delivers one column of 8
//   bytes per clock, so wavefronts are the most distinct columns in a bank, for all widths.
// - kKepler64: bank (address / 8) mod 32; wavefronts are the most distinct 8-byte words in a
//   bank.
// - kSixteenHalfWarp: 16 banks of 4 bytes for each half-warp. Wide words are split into requests
//   of 4 bytes. Each pass serves one broadcast word (of the lowest lane left) and one lane per
//   bank.
// Sources: CUDA C Programming Guide 5.5, appendix G, and counters of an H200
// (tests/evidence/golden/h200 and h200_outputs). Atomics of older generations are an estimate:
// lanes on one word run one after another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/request.h"
#include "common/memory/word_marks.h"

namespace warpgrade::memory {

/// The kind of access.
enum class SharedUse : std::uint8_t { kLoad, kStore, kAtomic, kCompareAndSwap };

struct SharedAccess {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;  ///< Wavefronts beyond the least for this number and width of lanes.

  friend bool operator==(const SharedAccess&, const SharedAccess&) = default;
};

/// Wavefronts of one access; addresses are offsets into the block's shared memory. `marks` is
/// scratch.
SharedAccess shared_access(device::SharedBanks rule, const Request& request, SharedUse use,
                           WordMarks& marks);

/// The same with its own scratch, for single calls.
SharedAccess shared_access(device::SharedBanks rule, const Request& request,
                           SharedUse use = SharedUse::kLoad);

/// Wavefronts of an access by all lanes to 4-byte words that are `stride` bytes apart, a multiple
/// of 4; 32 banks, no atomic. The number of lanes that meet in a bank is the greatest common
/// divisor of 32 and the stride in 4-byte words; lanes on one word share it.
inline SharedAccess words_apart(std::int64_t stride) {
  const int twos = std::countr_zero(static_cast<std::uint64_t>(stride)) - 2;
  const std::uint32_t wavefronts = stride == 0 ? 1 : std::uint32_t{1} << std::min(twos, 5);
  return {wavefronts, wavefronts - 1};
}

/// Whether a load of 8 or 16 bytes per lane runs in groups twice as large (32 banks): for every
/// active lane i, lane i ^ 1 is inactive or has the same address, or the same holds for i ^ 2.
bool joins_groups(const Request& request);

/// Wavefronts do not change if all addresses move by this number of bytes, a power of two: the span
/// of all banks, times the number of columns if banks have columns.
constexpr std::uint64_t bank_period(device::SharedBanks rule) {
  switch (rule) {
    case device::SharedBanks::kSixteenHalfWarp:
      return 64;
    case device::SharedBanks::kThirtyTwo:
      return 128;
    case device::SharedBanks::kKepler32:
    case device::SharedBanks::kKepler64:
      break;
  }
  return 256;
}

}  // namespace warpgrade::memory
