// SPDX-License-Identifier: Apache-2.0
// Banks: in how many wavefronts the shared memory serves one access of a warp.
//
// Pure functions of addresses, mask and size, by generation (device::SharedBanks):
// - kThirtyTwo: 32 banks of 4 bytes. Wavefronts are the most different words in a bank; lanes on
// one
//   word share it. Accesses of 8 bytes a lane run as two half-warps, of 16 as four quarter-warps,
//   where they have an active lane. Loads join two neighbouring ones where lanes come in pairs:
//   see joins_groups(). Conflicts are the wavefronts less the groups.
//   Atomics: lanes on one word do not share it, so wavefronts are the most lanes in a bank; a
//   compare and swap takes each pass twice, which is no conflict.
// - kKepler32: bank (address / 4) mod 32, column address / 256. A bank hands out one column of 8
//   bytes a clock, so wavefronts are the most different columns in a bank, for all widths.
// - kKepler64: bank (address / 8) mod 32, and wavefronts are the most different 8-byte words in a
// bank.
// - kSixteenHalfWarp: 16 banks of 4 bytes for each half-warp. Wide words are cut into requests of 4
//   bytes; each pass takes one broadcast word (that of the lowest lane left) and one lane a bank.
// Sources: CUDA C Programming Guide 5.5, appendix G, and counters of an H200
// (tests/evidence/golden/h200 and h200_outputs). Atomics of the older generations are an estimate:
// lanes on one word one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/request.h"
#include "common/memory/word_marks.h"

namespace warpgrade::memory {

/// The use of the words.
enum class SharedUse : std::uint8_t { kLoad, kStore, kAtomic, kCompareAndSwap };

struct SharedAccess {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts =
      0;  ///< Wavefronts beyond what as many lanes of this width need at best.

  friend bool operator==(const SharedAccess&, const SharedAccess&) = default;
};

/// Wavefronts of one access; addresses are offsets into the block's shared memory. `marks` is
/// scratch.
SharedAccess shared_access(device::SharedBanks rule, const Request& request, SharedUse use,
                           WordMarks& marks);

/// The same with scratch of its own, for those who ask once.
SharedAccess shared_access(device::SharedBanks rule, const Request& request,
                           SharedUse use = SharedUse::kLoad);

/// Wavefronts of an access by all lanes to words of 4 bytes, `stride` bytes after each other, a
/// multiple of 4; 32 banks, no atomic. As many lanes meet in a bank as the stride in words and 32
/// have in common as a factor; lanes on one word share it.
inline SharedAccess words_apart(std::int64_t stride) {
  const int twos = std::countr_zero(static_cast<std::uint64_t>(stride)) - 2;
  const std::uint32_t wavefronts = stride == 0 ? 1 : std::uint32_t{1} << std::min(twos, 5);
  return {wavefronts, wavefronts - 1};
}

/// Whether a load of 8 or 16 bytes a lane is served in groups twice as large (32 banks): for every
/// active lane i, lane i ^ 1 is inactive or at the same address, or this holds with i ^ 2.
bool joins_groups(const Request& request);

/// Wavefronts repeat when all addresses move by so many bytes, a power of two: the span of all
/// banks, and of a column of theirs where there are columns.
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
