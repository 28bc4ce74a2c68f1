// SPDX-License-Identifier: Apache-2.0
#include "common/memory/bank_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace warpgrade::memory {
namespace {

using device::SharedBanks;

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
