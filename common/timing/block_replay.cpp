// SPDX-License-Identifier: Apache-2.0
#include "common/timing/block_replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/memory/l1_cache.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"
#include "common/timing/dram_demand.h"
#include "common/timing/machine_costs.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

// A line stays until this multiple of the cache's size has been loaded since; it varies by line
// number.
struct Stay {
  double least;
  double most;
};
constexpr Stay kL1Stay{0.65, 2.4};
constexpr Stay kL2Stay{1.07, 1.4};

std::uint64_t hashed_line(std::uint64_t number) { return number * 0x9e3779b97f4a7c15U; }

bool is_held(std::uint64_t brought, std::uint64_t cache_bytes, std::uint64_t number,
             const Stay& stay) {
  const double part = static_cast<double>(hashed_line(number) >> 40) * 0x1p-24;
  const double times = stay.least + (stay.most - stay.least) * part;
  return static_cast<double>(brought) <= static_cast<double>(cache_bytes) * times;
}

std::uint16_t sectors_in(std::uint32_t bits) {
  return static_cast<std::uint16_t>(std::popcount(bits));
}

}  // namespace

void keep(const memory::Lines& lines, std::vector<TouchedLine>& out) {
  for (std::uint32_t i = 0; i < lines.count; ++i) out.push_back({lines.index[i], lines.sectors[i]});
}

void keep(const memory::Apart& apart, std::vector<TouchedLine>& out) {
  memory::for_each_address(apart.request, apart.request.mask, [&](std::uint64_t address) {
    out.push_back({address / 128, memory::sector_bit(address)});
  });
}

void keep(const memory::Range& range, std::vector<TouchedLine>& out) {
  memory::for_each_line(range, [&](std::uint64_t line, const memory::Lines::Bytes& touched) {
    out.push_back({line, memory::sectors_of(touched)});
  });
}

std::uint32_t pages_of(std::span<const TouchedLine> lines, std::uint64_t page_bytes) {
  const auto page_of = [&](const TouchedLine& one) { return one.line * 128 / page_bytes; };
  std::uint32_t count = lines.empty() ? 0 : 1;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (page_of(lines[i]) != page_of(lines[i - 1])) ++count;
  }
  return count;
}

namespace {

/// The part of a line's sectors that L1 does not send again if the warp stores to this number of
/// lines until it stores to the line again. L1 collects stores in 24 to 31 lines. Four schedulers
/// store in turn, so those of up to five lines have room. Measured on an H200: `aos` in
/// tests/evidence/golden/h200_memory, for up to 8, 12 and 16 lines.
double merged_share(std::size_t lines) {
  constexpr std::array kOfMany = {0.62, 0.30,  0.30, 0.255, 0.21, 0.165,
                                  0.12, 0.095, 0.07, 0.045, 0.02};  // 6 to 16 lines
  constexpr std::size_t kFew = 5;
  if (lines <= kFew) return 1;
  return lines - kFew <= kOfMany.size() ? kOfMany.at(lines - kFew - 1) : 0;
}

}  // namespace

void StoredLines::add(RecordedAccess& next, const std::vector<TouchedLine>& lines) {
  constexpr std::size_t kMostLines = 16;
  if (next.access.kind != TracedAccess::Kind::kStore) return;
  if (next.lines > kMostLines) return lines_.clear();
  double again = 0;
  for (TouchedLine here : std::span(lines.data() + next.first_line, next.lines)) {
    const auto known = std::ranges::find(lines_, here.line, &TouchedLine::line);
    if (known != lines_.end()) {
      const auto meanwhile = static_cast<std::size_t>(lines_.end() - known);
      again += merged_share(meanwhile) * std::popcount(here.sectors & known->sectors);
      here.sectors |= known->sectors;
      lines_.erase(known);
    }
    lines_.push_back(here);
  }
  if (lines_.size() > kMostLines) {
    lines_.erase(lines_.begin(), lines_.end() - static_cast<std::ptrdiff_t>(kMostLines));
  }
  const auto merged = static_cast<int>(std::lround(again));
  next.access.sectors = static_cast<std::uint16_t>(std::max(0, next.access.sectors - merged));
  next.access.partial = std::min(next.access.partial, next.access.sectors);
  next.access.more = static_cast<std::int16_t>(merged);
}

BlockReplay::BlockReplay(std::uint64_t l1_bytes, std::uint64_t l2_bytes)
    : l1_bytes_(l1_bytes), l2_bytes_(l2_bytes) {}

void BlockReplay::grow() {
  std::vector<Line> old(2 * table_.size());
  std::swap(old, table_);
  used_ = 0;
  for (const Line& line : old) {
    if (line.block == block_) find(line.number) = line;
  }
}

BlockReplay::Line& BlockReplay::find(std::uint64_t number) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hashed_line(number) >> 32;; ++at) {
    Line& line = table_[at & mask];
    if (line.block == block_ && line.number == number) return line;
    if (line.block == block_) continue;
    if (2 * ++used_ > table_.size()) {
      grow();
      return find(number);
    }
    line = {number, block_};
    return line;
  }
}

// The part below L1.
void BlockReplay::bring(TracedAccess& access, Line& line, std::uint32_t sectors) {
  const auto brought = std::uint64_t{l2_clock_ - line.l2_clock} * 128;
  if (line.in_l2 == 0 || !is_held(brought, l2_bytes_, line.number, kL2Stay)) {
    line.in_l2 = 0;
    ++l2_clock_;
  }
  access.sectors = static_cast<std::uint16_t>(access.sectors + sectors_in(sectors));
  access.reused = static_cast<std::uint16_t>(access.reused + sectors_in(sectors & line.in_l2));
  access.lost =
      static_cast<std::uint16_t>(access.lost + sectors_in(sectors & line.ever & ~line.in_l2));
  line.l2_clock = l2_clock_;
  line.in_l2 = static_cast<std::uint8_t>(line.in_l2 | sectors);
  line.ever = static_cast<std::uint8_t>(line.ever | sectors);
}

void BlockReplay::touch(RecordedAccess& request, const std::vector<TouchedLine>& lines,
                        const Turn& turn) {
  TracedAccess& access = request.access;
  const TracedAccess before = access;
  const bool is_load = access.kind == TracedAccess::Kind::kLoad;
  access.sectors = 0;
  for (std::uint32_t i = 0; i < request.lines; ++i) {
    const auto& [number, sectors] = lines[request.first_line + i];
    Line& line = find(number);
    std::uint32_t missing = sectors;
    const auto brought = std::uint64_t{l1_clock_ - line.l1_clock} * 128;
    if (!is_held(brought, l1_bytes_, number, kL1Stay)) line.in_l1 = line.allocated = 0;
    looked_up_ += sectors_in(sectors);
    const bool may_hit = access.is_in_l1 || access.kind == TracedAccess::Kind::kStore;
    if (may_hit) {
      hits_ += sectors_in(sectors & line.allocated);
      line.allocated = static_cast<std::uint8_t>(line.allocated | sectors);
    }
    if (access.is_in_l1) {
      missing = sectors & ~std::uint32_t{line.in_l1};
      if (missing != 0 && access.buffer != TracedAccess::kLocal) {
        l1_loads_.add({number, static_cast<std::uint8_t>(missing), access.buffer, line.in_l1 == 0});
      }
      if (missing != 0) {
        line.fetching_warp = turn.warp;
        line.fetch = turn.request;
      } else if (access.fetching_warp == TracedAccess::kNoFetch || line.fetch > access.fetch) {
        access.fetching_warp = line.fetching_warp;
        access.fetch = line.fetch;
      }
      if (line.in_l1 == 0) ++l1_clock_;
      line.l1_clock = l1_clock_;
      line.in_l1 = static_cast<std::uint8_t>(line.in_l1 | sectors);
    }
    // Stores to local memory write through L1.
    if (!is_load && access.buffer == TracedAccess::kLocal) missing = sectors;
    if (missing != 0) bring(access, line, missing);
  }
  if (is_load) {
    access.more = static_cast<std::int16_t>(before.sectors - access.sectors);
    return;
  }
  const auto reused = access.reused;
  access = before;
  if (access.buffer == TracedAccess::kLocal) access.reused = reused;
}

void BlockReplay::join_store(const RecordedAccess& last, RecordedAccess& next,
                             const std::vector<TouchedLine>& lines) {
  constexpr std::uint32_t kMostLines = 8;
  if (last.lines > kMostLines || next.lines > kMostLines) return;
  const std::span before(&lines[last.first_line], last.lines);
  int again = 0;
  std::uint16_t gone = 0;
  for (std::uint32_t i = 0; i < next.lines; ++i) {
    const auto& [number, sectors] = lines[next.first_line + i];
    const auto same = std::ranges::find(before, number, &TouchedLine::line);
    if (same == before.end()) continue;
    again += std::popcount(sectors & same->sectors);
    if ((sectors & ~same->sectors) == 0) ++gone;
  }
  next.access.sectors = static_cast<std::uint16_t>(std::max(0, next.access.sectors - again));
  next.access.lines =
      static_cast<std::uint16_t>(next.access.lines - std::min(next.access.lines, gone));
  next.access.partial = std::min(next.access.partial, next.access.sectors);
  next.access.more = static_cast<std::int16_t>(next.access.more + again);
}

void BlockReplay::run(const std::vector<std::vector<RecordedAccess>*>& warps,
                      const std::vector<TouchedLine>& lines) {
  ++block_;
  used_ = 0;
  l1_clock_ = l2_clock_ = 0;
  looked_up_ = hits_ = 0;
  l1_loads_.clear();
  std::size_t most = 0;
  for (const auto* requests : warps) most = std::max(most, requests->size());
  for (std::size_t k = 0; k < most; ++k) {
    const RecordedAccess* last = nullptr;
    for (std::size_t w = 0; w < warps.size(); ++w) {
      std::vector<RecordedAccess>& requests = *warps[w];
      if (k >= requests.size() || requests[k].lines == 0) continue;
      RecordedAccess& request = requests[k];
      touch(request, lines, {static_cast<std::uint16_t>(w), static_cast<std::uint32_t>(k)});
      if (request.access.kind != TracedAccess::Kind::kStore) continue;
      if (last != nullptr) join_store(*last, request, lines);
      last = &request;
    }
  }
  place_fresh(warps, most);
}

void BlockReplay::place_fresh(const std::vector<std::vector<RecordedAccess>*>& warps,
                              std::size_t most) {
  constexpr std::size_t kBuffers = std::size_t{TracedAccess::kNoBuffer} + 1;
  std::array<double, kBuffers> total{};
  std::array<double, kBuffers> before{};
  const auto fresh = [](const TracedAccess& access) {
    return access.kind == TracedAccess::Kind::kLoad ? access.sectors - access.reused - access.lost
                                                    : 0;
  };
  for (const auto* requests : warps) {
    for (const RecordedAccess& one : *requests) total[one.access.buffer] += fresh(one.access);
  }
  for (std::size_t k = 0; k < most; ++k) {
    for (auto* requests : warps) {
      if (k >= requests->size()) continue;
      TracedAccess& access = (*requests)[k].access;
      if (fresh(access) == 0) continue;
      double& sum = before[access.buffer];
      access.fresh_begin = static_cast<float>(sum / total[access.buffer]);
      sum += fresh(access);
      access.fresh_end = static_cast<float>(sum / total[access.buffer]);
    }
  }
}

namespace {

constexpr std::uint32_t kLaneBytes = 4;  // of a line's 128
// Line numbers of local memory: above those of all addresses, with more per warp than its stack
// needs. The assembler keeps arrays and spilled registers apart.
constexpr std::uint64_t kFirstSpillLine = std::uint64_t{1} << 60;
constexpr std::uint64_t kFirstArrayLine = std::uint64_t{1} << 59;
constexpr std::uint64_t kLinesOfWarp = std::uint64_t{1} << 24;

/// The share of misses `m` if a cache that replaces lines at random serves the same `lines` lines
/// per line of its size again and again. A line stays with the probability e^(-m lines) until it is
/// used again: m = 1 - e^(-m lines).
double missed_at_random(double lines) {
  if (!(lines > 1)) return 0;  // not a number: no arrays, and no L2
  double missed = 1;
  for (int i = 0; i < 100; ++i) missed = 1 - std::exp(-missed * lines);
  return missed;
}

}  // namespace

RecordedAccess spill_request(const SpillAccess& spill, std::uint32_t warp,
                             std::vector<TouchedLine>& touched) {
  constexpr std::uint32_t kAllSectors = 0xf;
  const std::uint32_t lines = std::max<std::uint32_t>(spill.bytes / kLaneBytes, 1);
  RecordedAccess out;
  out.access.kind = spill.is_store ? TracedAccess::Kind::kStore : TracedAccess::Kind::kLoad;
  out.access.buffer = TracedAccess::kLocal;
  out.access.lines = static_cast<std::uint16_t>(lines);
  out.access.wavefronts = out.access.lines;
  out.access.sectors = static_cast<std::uint16_t>(4 * lines);
  out.first_line = static_cast<std::uint32_t>(touched.size());
  out.lines = lines;
  out.access.is_in_l1 = true;
  const auto first = kFirstSpillLine + kLinesOfWarp * warp +
                     static_cast<std::uint32_t>(spill.offset) % kLinesOfWarp / kLaneBytes;
  for (std::uint32_t i = 0; i < lines; ++i) touched.push_back({first + i, kAllSectors});
  return out;
}

RecordedAccess array_request(const run::MemoryEvent& event, const memory::GlobalAccess& access,
                             const memory::Lines& lines, std::vector<TouchedLine>& touched) {
  RecordedAccess out;
  out.access.kind = event.operation == run::Operation::kLoad ? TracedAccess::Kind::kLoad
                                                             : TracedAccess::Kind::kStore;
  out.access.buffer = TracedAccess::kLocal;
  out.access.lines = static_cast<std::uint16_t>(access.lines);
  // Each lane has a bank of its own.
  out.access.wavefronts =
      static_cast<std::uint16_t>(std::max<std::uint32_t>(event.bytes / kLaneBytes, 1));
  out.access.sectors = static_cast<std::uint16_t>(access.sectors);
  out.access.partial = static_cast<std::uint16_t>(access.partial_sectors);
  out.first_line = static_cast<std::uint32_t>(touched.size());
  out.lines = lines.count;
  out.access.is_in_l1 = true;
  const auto first = kFirstArrayLine + kLinesOfWarp * event.warp;
  for (std::uint32_t i = 0; i < lines.count; ++i) {
    touched.push_back({first + lines.index[i] % kLinesOfWarp, lines.sectors[i]});
  }
  return out;
}

BufferRates local_rates(const device::Profile& profile, const Trace& trace, double blocks) {
  double local = 0;
  double others = 0;
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) {
      const bool is_array =
          request.buffer == TracedAccess::kLocal && request.kind == TracedAccess::Kind::kStore;
      (is_array ? local : others) += request.sectors - request.reused;
    }
  }
  const double traced = std::max(1.0, static_cast<double>(trace.blocks.size()));
  const double each = memory::kSectorBytes / traced * blocks;
  const double bytes = each * (local + others);
  const double kept = bytes > 0 ? std::min(1.0, l2_dirty(profile) / bytes) : 1;
  return {.read = 0,
          .lost = 1,
          .written = 1 - kept,
          .rewritten = missed_at_random(each * local / memory::l2_reach(profile)),
          .filled = 0};
}

void add_local(const Trace& trace, const BufferRates& rates, double blocks, DramTraffic& traffic) {
  const double each = memory::kSectorBytes * blocks / static_cast<double>(trace.blocks.size());
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) {
      if (request.buffer != TracedAccess::kLocal) continue;
      if (request.kind == TracedAccess::Kind::kLoad) {
        traffic.read += each * request.lost * rates.lost;
        traffic.read_again += each * request.lost * rates.lost;
        traffic.local_read += each * request.lost * rates.lost;
      } else {
        const double written =
            (request.sectors - request.reused) * rates.written + request.reused * rates.rewritten;
        traffic.written += each * written;
        traffic.local_written += each * written;
      }
    }
  }
}

}  // namespace warpgrade::timing
