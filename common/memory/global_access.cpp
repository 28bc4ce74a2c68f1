// SPDX-License-Identifier: Apache-2.0
// The cost of a warp's accesses to global memory: transactions, and the work of atomics.
//
// In: the addresses, the mask and the size of one request. Out: its transactions by the rule of
// the GPU's generation, and the passes that an atomic causes in the atomic units of L2.
// Transactions of a row of adjacent words are looked up, because they depend only on the offset
// of the row.
//
// Pure functions without caches. Sources: CUDA C Programming Guide 5.5, appendix G (cc 1.x, 3.x),
// and counters of an H200 (tests/evidence/golden/h200 and h200_outputs).
#include "common/memory/global_access.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {
namespace {

void push(Transactions& out, std::uint64_t address, std::uint32_t bytes) {
  // cc 1.x has no requests with more transactions (misaligned 32-byte words).
  if (out.count < out.list.size()) out.list[out.count++] = {address, bytes};
}

/// cc 1.2 and 1.3, for the lanes of `half`.
void coalesce_segments(const Request& request, std::uint32_t half, Transactions& out) {
  const std::uint32_t segment = request.bytes == 1 ? 32 : request.bytes == 2 ? 64 : 128;
  while (half != 0) {
    const std::uint64_t base = request.address[std::countr_zero(half)] / segment * segment;
    std::uint64_t lowest = base + segment;
    std::uint64_t end = base;
    for (std::uint32_t left = half; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t address = request.address[lane];
      if (address < base || address >= base + segment) continue;
      lowest = std::min(lowest, address);
      end = std::max(end, address + request.bytes);
      half &= ~(std::uint32_t{1} << lane);
    }
    std::uint64_t start = base;
    std::uint32_t bytes = segment;
    while (bytes > 32) {
      const std::uint64_t middle = start + bytes / 2;
      if (lowest < middle && end > middle) break;
      bytes /= 2;
      if (lowest >= middle) start = middle;
    }
    push(out, start, bytes);
  }
}

/// cc 1.0 and 1.1, for the lanes of `half`; `first` is the lowest lane of the half-warp.
void coalesce_strict(const Request& request, std::uint32_t half, std::uint32_t first,
                     Transactions& out) {
  const bool wide_enough = request.bytes == 4 || request.bytes == 8 || request.bytes == 16;
  const std::uint64_t span = std::uint64_t{16} * request.bytes;
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(half));
  const std::uint64_t base = request.address[leader] / span * span;
  bool coalesced = wide_enough;
  for (std::uint32_t left = half; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    coalesced &= request.address[lane] == base + (lane - first) * std::uint64_t{request.bytes};
  }
  if (coalesced) {
    const std::uint32_t burst = request.bytes == 4 ? 64 : 128;
    for (std::uint64_t at = 0; at < span; at += burst) push(out, base + at, burst);
    return;
  }
  for (std::uint32_t left = half; left != 0; left &= left - 1) {
    push(out, request.address[std::countr_zero(left)] / 32 * 32, 32);
  }
}

/// The most 4-byte words in one bank.
std::uint32_t busiest_bank(const Lines& lines) {
  std::array<std::uint32_t, 32> words{};
  for (std::uint32_t i = 0; i < lines.count; ++i) {
    for (std::uint32_t bank = 0; bank < 32; ++bank) {
      const auto bytes = lines.bytes[i][bank / 16] >> (4 * (bank % 16)) & 0xf;
      words[bank] += bytes != 0 ? 1 : 0;
    }
  }
  return *std::max_element(words.begin(), words.end());
}

}  // namespace

GlobalAccess count_sectors(const Lines& lines) {
  GlobalAccess access;
  access.requests = 1;
  access.lines = lines.count;
  std::uint32_t full = 0;
  for (std::uint32_t i = 0; i < lines.count; ++i) {
    const Lines::Bytes& bytes = lines.bytes[i];
    const auto used = static_cast<std::uint32_t>(std::popcount(bytes[0]) + std::popcount(bytes[1]));
    access.sectors += static_cast<std::uint32_t>(std::popcount(lines.sectors[i]));
    access.used_bytes += used;
    if (used >= 32) full += static_cast<std::uint32_t>(std::popcount(full_sectors_of(bytes)));
  }
  access.partial_sectors = access.sectors - full;
  return access;
}

GlobalAccess count_sectors(const Apart& apart) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(apart.request.mask));
  const std::uint32_t bytes = apart.request.bytes;
  return {1, lanes, lanes, bytes == 32 ? 0 : lanes, lanes * bytes};
}

GlobalAccess count_sectors(const Range& range) {
  const std::uint64_t end = range.address + range.bytes;
  const auto units = [&](std::uint64_t size) {
    return static_cast<std::uint32_t>((end + size - 1) / size - range.address / size);
  };
  const std::uint64_t first_full = (range.address + 31) / 32;
  const auto full = static_cast<std::uint32_t>(std::max(end / 32, first_full) - first_full);
  return {1, units(32), units(128), units(32) - full, range.bytes};
}

CopyAccess count_copy(const Request& sources, const std::uint64_t* targets, GlobalAccess access) {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  constexpr std::uint64_t kLine = 128;
  const auto distinct = [&](auto pair_of) {
    std::array<Pair, kLanes> pairs;
    auto end = pairs.begin();
    for (std::uint32_t left = sources.mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      *end++ = pair_of(sources.address[lane], targets[lane]);
    }
    std::sort(pairs.begin(), end);
    return static_cast<std::uint32_t>(std::unique(pairs.begin(), end) - pairs.begin());
  };
  const std::uint32_t full = access.sectors - access.partial_sectors;
  access.sectors = distinct([](std::uint64_t from, std::uint64_t to) {
    return Pair{from / kLine, to / kSectorBytes};
  });
  access.partial_sectors = access.sectors - std::min(full, access.sectors);
  access.lines = distinct([](std::uint64_t from, std::uint64_t to) {
    return Pair{from / kLine, to / kLine};
  });
  // A sector's halves travel together, also exchanged, but not both to one half.
  const std::uint32_t moved = distinct([](std::uint64_t from, std::uint64_t to) {
    return Pair{from / kSectorBytes, to / kSectorBytes * 2 + ((from ^ to) / 16 & 1)};
  });
  return {access, moved};
}

std::uint32_t count_atomic_sectors(const Request& request) {
  std::uint32_t sum = 0;
  std::uint32_t left = request.mask;
  while (left != 0) {
    const std::uint64_t sector = request.address[std::countr_zero(left)] / 32;
    std::array<std::uint8_t, 32> on_word{};  // by first byte of the word
    std::uint8_t most = 0;
    for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t address = request.address[std::countr_zero(lanes)];
      if (address / 32 != sector) continue;
      most = std::max(most, ++on_word[address % 32]);
      left &= ~(lanes & ~(lanes - 1));
    }
    sum += most;
  }
  return sum;
}

GlobalAccess count_transactions(device::Coalescing rule, const Request& request,
                                Transactions& transactions) {
  GlobalAccess access;
  transactions.count = 0;
  for (std::uint32_t first = 0; first < kLanes; first += kLanes / 2) {
    const std::uint32_t half = request.mask & (std::uint32_t{0xffff} << first);
    if (half == 0) continue;
    ++access.requests;
    if (rule == device::Coalescing::kHalfWarpSegments) {
      coalesce_segments(request, half, transactions);
    } else {
      coalesce_strict(request, half, first, transactions);
    }
    gather({request.address, half, request.bytes}, transactions.asked);
    const GlobalAccess ideal = count_sectors(transactions.asked);
    access.used_bytes += ideal.used_bytes;
    access.partial_sectors -= ideal.sectors - ideal.partial_sectors;  // sectors used in full
  }
  for (std::uint32_t i = 0; i < transactions.count; ++i) {
    access.sectors += transactions.list[i].bytes / 32;
  }
  access.lines = transactions.count;
  access.partial_sectors += access.sectors;
  return access;
}

std::uint32_t l1_wavefronts(const Request& request, Lines& lines) {
  const std::uint32_t at_once = 128 / std::clamp<std::uint32_t>(request.bytes, 4, 128);
  const std::uint32_t group = ~std::uint32_t{0} >> (kLanes - at_once);
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < kLanes; first += at_once) {
    const std::uint32_t lanes = request.mask & (group << first);
    if (lanes == 0) continue;
    gather({request.address, lanes, request.bytes}, lines);
    sum += busiest_bank(lines);
  }
  return sum;
}

GlobalAccess TransactionMemo::count(device::Coalescing rule, const run::MemoryEvent& event,
                                    Transactions& transactions) {
  const Request request{event.address, event.mask, event.bytes};
  const bool is_row = event.stride == event.bytes && event.bytes >= 4 && event.address[0] % 4 == 0;
  if (!is_row) return count_transactions(rule, request, transactions);

  const std::uint64_t offset = event.address[0] % kPeriod;
  const std::uint64_t start = event.address[0] - offset;
  Row& row = rows_[offset / 4];
  if (row.bytes == event.bytes && row.rule == rule) {
    transactions.count = row.count;
    for (std::uint32_t i = 0; i < row.count; ++i) {
      transactions.list[i] = {start + row.list[i].address, row.list[i].bytes};
    }
    return row.access;
  }
  const GlobalAccess access = count_transactions(rule, request, transactions);
  if (transactions.count > kFew) return access;
  row = {rule, event.bytes, transactions.count, {}, access};
  for (std::uint32_t i = 0; i < row.count; ++i) {
    row.list[i] = {transactions.list[i].address - start, transactions.list[i].bytes};
  }
  return access;
}

namespace {

constexpr std::uint64_t kAtomicPieceBytes = 512;

/// Removes the lanes in the sector of the lowest lane from `left`; returns the most lanes on one
/// word.
std::uint16_t take_sector(const Request& request, std::uint32_t& left) {
  const std::uint64_t sector = request.address[std::countr_zero(left)] / kSectorBytes;
  std::array<std::uint16_t, kSectorBytes> on_word{};  // by first byte of the word
  std::uint16_t most = 0;
  for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = request.address[std::countr_zero(lanes)];
    if (address / kSectorBytes != sector) continue;
    most = std::max(most, ++on_word[address % kSectorBytes]);
    left &= ~(lanes & ~(lanes - 1));
  }
  return most;
}

}  // namespace

AtomicWorks atomic_works(const Request& request, bool by_sector) {
  AtomicWorks out;
  for (std::uint32_t left = request.mask; left != 0;) {
    const std::uint64_t address = request.address[std::countr_zero(left)];
    const std::uint16_t passes = take_sector(request, left);
    const auto end = out.list.begin() + out.count;
    const auto found = std::find_if(out.list.begin(), end, [&](const AtomicWork& work) {
      return !by_sector && work.piece == address / kAtomicPieceBytes;
    });
    if (found == end) {
      *found = {address / kAtomicPieceBytes, by_sector ? address / kSectorBytes : 0, 0, 0};
      ++out.count;
    }
    auto& sum = passes == 1 ? found->passes : found->again;
    sum = static_cast<std::uint16_t>(sum + passes);
  }
  return out;
}

std::uint32_t most_on_one_word(const Request& request) {
  std::uint32_t most = 0;
  for (std::uint32_t left = request.mask; left != 0;) {
    const std::uint64_t address = request.address[std::countr_zero(left)];
    std::uint32_t same = 0;
    for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
      if (request.address[std::countr_zero(lanes)] == address) same |= lanes & (~lanes + 1);
    }
    most = std::max(most, static_cast<std::uint32_t>(std::popcount(same)));
    left &= ~same;
  }
  return most;
}

}  // namespace warpgrade::memory
