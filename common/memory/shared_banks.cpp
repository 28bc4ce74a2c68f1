// SPDX-License-Identifier: Apache-2.0
#include "common/memory/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

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

namespace {

/// Whether any of `lanes` has this address.
bool any_at(const Request& request, std::uint32_t lanes, std::uint64_t address) {
  for (; lanes != 0; lanes &= lanes - 1) {
    if (request.address[std::countr_zero(lanes)] == address) return true;
  }
  return false;
}

/// The lanes of `left` whose swap succeeds in this round.
std::uint32_t winners(const Request& request, std::uint32_t left) {
  const std::uint32_t at_once = 128 / request.bytes;
  const std::uint32_t group = ~std::uint32_t{0} >> (kLanes - at_once);
  std::uint32_t won = 0;
  for (std::uint32_t first = 0; first < kLanes; first += at_once) {
    const std::uint32_t earlier = won;
    std::uint32_t busy = 0;
    for (std::uint32_t lanes = left & group << first; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const std::uint64_t address = request.address[lane];
      const std::uint32_t bank = std::uint32_t{1} << address / request.bytes % at_once;
      if ((busy & bank) != 0) continue;
      busy |= bank;
      if (!any_at(request, earlier, address)) won |= std::uint32_t{1} << lane;
    }
  }
  return won;
}

}  // namespace

SharedLoop shared_loop(const Request& request, WordMarks& marks) {
  SharedLoop loop;
  std::uint32_t left = request.mask;
  while (left != 0) {
    ++loop.rounds;
    const SharedAccess load =
        shared_access(device::SharedBanks::kThirtyTwo, {request.address, left, request.bytes},
                      SharedUse::kLoad, marks);
    loop.loads.wavefronts += load.wavefronts;
    loop.loads.conflicts += load.conflicts;
    const bool halves = request.bytes == 8 && left > 0xffffU && (left & 0xffffU) != 0;
    const std::uint32_t swaps = halves ? 4 : 2;
    loop.swaps.wavefronts += swaps;
    if (loop.rounds == 1) loop.one_round = load.wavefronts - load.conflicts + swaps;
    left &= ~winners(request, left);
  }
  return loop;
}

namespace {

/// A number for each piece that a bank delivers at once; equal pieces have equal numbers.
std::uint64_t piece_of(SharedBanks rule, std::uint64_t address) {
  if (rule == SharedBanks::kKepler32) return address / 256 * 32 + address / 4 % 32;
  return address / bank_bytes(rule);
}

/// Adds the words of `lanes`, which run at once, from row `first` on; returns the number of rows.
std::uint32_t add_group(SharedBanks rule, const Request& request, std::uint32_t lanes,
                        bool one_by_one, std::uint32_t first, std::vector<BankWord>& out) {
  std::array<std::uint32_t, 32> in_bank{};
  std::map<std::uint64_t, std::uint32_t> known;  // piece -> row
  std::uint32_t rows = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto begin = request.address[lane];
    for (auto at = begin; at < begin + request.bytes; at += bank_bytes(rule)) {
      const auto piece = piece_of(rule, at);
      const auto bank = static_cast<std::uint32_t>(piece % 32);
      const auto found = known.find(piece);
      const bool is_new = one_by_one || found == known.end();
      const auto row = is_new ? in_bank.at(bank)++ : found->second;
      known[piece] = row;
      rows = std::max(rows, row + 1);
      const BankWord word{lane, bank, first + row};
      if (out.empty() || !(out.back() == word)) out.push_back(word);
    }
  }
  return rows;
}

/// cc 1.x: each pass serves the word of the lowest lane left, with all lanes on that word, and one
/// lane of each other bank.
std::uint32_t add_half_warp(const Request& request, std::uint32_t lanes, std::uint32_t offset,
                            bool atomic, std::uint32_t first, std::vector<BankWord>& out) {
  std::uint32_t row = first;
  for (; lanes != 0; ++row) {
    const auto word_of = [&](std::uint32_t lane) { return request.address[lane] / 4; };
    const auto broadcast = word_of(static_cast<std::uint32_t>(std::countr_zero(lanes)));
    std::uint32_t busy = 0;
    std::uint32_t served = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const auto bank = static_cast<std::uint32_t>(word_of(lane) % 16);
      const bool is_leader = served == 0;
      const bool shares = word_of(lane) == broadcast && !atomic;
      if (is_leader || shares || (busy >> bank & 1U) == 0) {
        served |= 1U << lane;
        out.push_back({lane, (bank + offset) % 16, row});
      }
      busy |= 1U << bank;
    }
    lanes &= ~served;
  }
  return row - first;
}

}  // namespace

std::vector<BankWord> bank_words(SharedBanks rule, const Request& request, SharedUse use) {
  const bool atomic = use == SharedUse::kAtomic || use == SharedUse::kCompareAndSwap;
  std::vector<BankWord> out;
  std::uint32_t rows = 0;
  if (rule == SharedBanks::kSixteenHalfWarp) {
    for (const std::uint32_t half : {0x0000ffffU, 0xffff0000U}) {
      for (std::uint32_t word = 0; word < (request.bytes + 3) / 4; ++word) {
        rows += add_half_warp(request, request.mask & half, word, atomic, rows, out);
      }
    }
    return out;
  }
  std::uint32_t at_once = kLanes;
  if (rule == SharedBanks::kThirtyTwo) {
    at_once = 128 / std::clamp<std::uint32_t>(request.bytes, 4, 128);
    if (at_once < kLanes && use == SharedUse::kLoad && joins_groups(request)) at_once *= 2;
  }
  const std::uint32_t group = ~std::uint32_t{0} >> (kLanes - at_once);
  for (std::uint32_t lane = 0; lane < kLanes; lane += at_once) {
    rows += add_group(rule, request, request.mask & (group << lane), atomic, rows, out);
  }
  return out;
}

std::uint32_t bank_count(SharedBanks rule) {
  return rule == SharedBanks::kSixteenHalfWarp ? 16 : 32;
}

std::uint32_t bank_bytes(SharedBanks rule) { return rule == SharedBanks::kKepler64 ? 8 : 4; }

}  // namespace warpgrade::memory
