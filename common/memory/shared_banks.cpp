// SPDX-License-Identifier: Apache-2.0
#include "common/memory/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpgrade::memory {
namespace {

using device::SharedBanks;

/// Bytes of a bank's word.
template <SharedBanks rule>
constexpr std::uint64_t word_bytes = rule == SharedBanks::kKepler64 ? 8 : 4;

/// The number of the piece that a bank can deliver at once; key mod 32 is the bank.
template <SharedBanks rule>
std::uint64_t key_of(std::uint64_t address) {
  if constexpr (rule == SharedBanks::kKepler32) return address / 256 * 32 + address / 4 % 32;
  return address / word_bytes<rule>;
}

/// worst_bank() for a fixed width. `kOneWord`: a lane uses at most one word of a bank.
template <SharedBanks rule, bool kOneWord, bool kOneByOne>
std::uint32_t worst_bank(const Request& request, std::uint32_t lanes, WordMarks& marks) {
  constexpr std::uint64_t kWord = word_bytes<rule>;
  std::array<std::uint8_t, 32> in_bank{};  // a lane counts at most once per bank, so at most 32
  marks.forget();
  const auto add = [&](std::uint64_t key) {
    const std::uint8_t fresh = kOneByOne ? 1 : marks.mark(key);
    in_bank[key % 32] = static_cast<std::uint8_t>(in_bank[key % 32] + fresh);
  };
  for_each_address(request, lanes, [&](std::uint64_t address) {
    if constexpr (kOneWord) {
      add(key_of<rule>(address));
    } else {
      const std::uint64_t end = address + request.bytes;
      for (std::uint64_t at = address; at < end; at += kWord) add(key_of<rule>(at));
    }
  });
  std::uint8_t worst = 0;
  for (const std::uint8_t count : in_bank) worst = std::max(worst, count);
  return worst;
}

/// The most keys that `lanes` of the request have in one of the 32 banks. A key that lanes share
/// counts once; with `one_by_one`, once per lane.
template <SharedBanks rule>
std::uint32_t worst_bank(const Request& request, std::uint32_t lanes, bool one_by_one,
                         WordMarks& marks) {
  if (request.bytes <= word_bytes<rule>) {
    return one_by_one ? worst_bank<rule, true, true>(request, lanes, marks)
                      : worst_bank<rule, true, false>(request, lanes, marks);
  }
  return one_by_one ? worst_bank<rule, false, true>(request, lanes, marks)
                    : worst_bank<rule, false, false>(request, lanes, marks);
}

bool is_atomic(SharedUse use) {
  return use == SharedUse::kAtomic || use == SharedUse::kCompareAndSwap;
}

/// 32 banks of 4 bytes. As many lanes as fill the banks run at once.
SharedAccess thirty_two(const Request& request, SharedUse use, WordMarks& marks) {
  std::uint32_t at_once = 128 / std::clamp<std::uint32_t>(request.bytes, 4, 128);
  if (at_once < kLanes && use == SharedUse::kLoad && joins_groups(request)) at_once *= 2;
  const std::uint32_t group = ~std::uint32_t{0} >> (kLanes - at_once);
  SharedAccess access;
  for (std::uint32_t first = 0; first < kLanes; first += at_once) {
    const std::uint32_t lanes = request.mask & (group << first);
    if (lanes == 0) continue;
    const std::uint32_t wavefronts =
        worst_bank<SharedBanks::kThirtyTwo>(request, lanes, is_atomic(use), marks);
    access.wavefronts += wavefronts;
    access.conflicts += wavefronts - 1;
  }
  if (use == SharedUse::kCompareAndSwap) access.wavefronts *= 2;
  return access;
}

template <SharedBanks rule>
SharedAccess kepler(const Request& request, SharedUse use, WordMarks& marks) {
  const std::uint32_t wavefronts = worst_bank<rule>(request, request.mask, is_atomic(use), marks);
  const auto lanes = static_cast<std::uint32_t>(std::popcount(request.mask));
  return {wavefronts, wavefronts - std::min(wavefronts, (lanes * request.bytes + 255) / 256)};
}

/// Wavefronts of one request of 4 bytes per lane, for the lanes of a half-warp.
std::uint32_t sixteen_wavefronts(const Request& request, std::uint32_t lanes, bool atomic) {
  // Lanes with ascending words share none, so the bank with the most words decides.
  std::array<std::uint8_t, 16> in_bank{};
  std::uint8_t most = 0;
  std::uint64_t next = 0;
  bool rises = true;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t word = request.address[std::countr_zero(left)] / 4;
    rises &= word >= next;
    next = word + 1;
    most = std::max(most, ++in_bank[word % 16]);
  }
  if (rises) return most;

  std::uint32_t wavefronts = 0;
  while (lanes != 0) {
    ++wavefronts;
    const int leader = std::countr_zero(lanes);
    const std::uint64_t broadcast = request.address[leader] / 4;
    std::uint32_t busy = std::uint32_t{1} << (broadcast % 16);
    std::uint32_t served = std::uint32_t{1} << leader;
    for (std::uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t word = request.address[lane] / 4;
      const std::uint32_t bank = std::uint32_t{1} << (word % 16);
      const bool shares = word == broadcast && !atomic;
      if (shares || (busy & bank) == 0) served |= std::uint32_t{1} << lane;
      busy |= bank;
    }
    lanes &= ~served;
  }
  return wavefronts;
}

SharedAccess sixteen(const Request& request, SharedUse use) {
  // One request per word of a lane. All are alike: from word to word, every lane moves by one bank.
  const std::uint32_t requests = (request.bytes + 3) / 4;
  SharedAccess access;
  for (const std::uint32_t half : {0x0000ffffU, 0xffff0000U}) {
    const std::uint32_t lanes = request.mask & half;
    if (lanes == 0) continue;
    const std::uint32_t wavefronts = sixteen_wavefronts(request, lanes, is_atomic(use));
    access.wavefronts += requests * wavefronts;
    access.conflicts += requests * (wavefronts - 1);
  }
  return access;
}

}  // namespace

bool joins_groups(const Request& request) {
  const auto comes_in_pairs = [&](std::uint32_t distance) {
    // The lower lane of each pair with two active lanes.
    const std::uint32_t lower = distance == 1 ? 0x55555555U : 0x33333333U;
    for (std::uint32_t left = request.mask & request.mask >> distance & lower; left != 0;
         left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (request.address[lane] != request.address[lane + static_cast<int>(distance)]) return false;
    }
    return true;
  };
  return comes_in_pairs(1) || comes_in_pairs(2);
}

SharedAccess shared_access(SharedBanks rule, const Request& request, SharedUse use,
                           WordMarks& marks) {
  switch (rule) {
    case SharedBanks::kSixteenHalfWarp:
      return sixteen(request, use);
    case SharedBanks::kKepler32:
      return kepler<SharedBanks::kKepler32>(request, use, marks);
    case SharedBanks::kKepler64:
      return kepler<SharedBanks::kKepler64>(request, use, marks);
    case SharedBanks::kThirtyTwo:
      break;
  }
  return thirty_two(request, use, marks);
}

SharedAccess shared_access(SharedBanks rule, const Request& request, SharedUse use) {
  WordMarks marks;
  return shared_access(rule, request, use, marks);
}

}  // namespace warpgrade::memory
