// SPDX-License-Identifier: Apache-2.0
#include "common/timing/l1_sharing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/timing/l1_loads.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

constexpr std::size_t kSectors = 4;
constexpr std::size_t kBuffers = std::size_t{TracedAccess::kNoBuffer} + 1;

/// Blocks of one SM in the order of the trace, and which of them load a line or a sector.
class Neighbours {
 public:
  /// `resident` blocks on either side of a block are its neighbours.
  Neighbours(const std::vector<const BlockTrace*>& blocks, unsigned halvings, double resident)
      : blocks_(blocks),
        halvings_(halvings),
        reach_(static_cast<std::size_t>(std::ceil(resident))) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for_kept(b, [&](const L1Load& load) {
        Places& places = places_[load.line];
        places[kSectors].push_back(b);
        for (std::size_t s = 0; s < kSectors; ++s) {
          if ((load.sectors >> s & 1) != 0) places[s].push_back(b);
        }
      });
    }
  }

  template <typename Use>
  void for_kept(std::size_t block, Use use) const {
    for (const L1Load& load : blocks_[block]->l1_loads.kept()) {
      if (L1Loads::is_in_part(load.line, halvings_)) use(load);
    }
  }

  /// The loads of a line's `sector`, or of the line (kSectors), by a mean neighbour of `block`.
  double loads(std::uint64_t line, std::size_t sector, std::size_t block) const {
    const auto& all = places_.at(line)[sector];
    const std::size_t first = block - std::min(block, reach_);
    const std::size_t last = std::min(block + reach_, blocks_.size() - 1);
    const auto count = [&](std::size_t begin, std::size_t end) {
      return static_cast<double>(std::lower_bound(all.begin(), all.end(), end) -
                                 std::lower_bound(all.begin(), all.end(), begin));
    };
    if (last == first) return 0;
    return (count(first, last + 1) - count(block, block + 1)) / static_cast<double>(last - first);
  }

 private:
  using Places = std::array<std::vector<std::size_t>, kSectors + 1>;
  const std::vector<const BlockTrace*>& blocks_;
  unsigned halvings_;
  std::size_t reach_;
  std::unordered_map<std::uint64_t, Places> places_;
};

/// The sectors of each buffer that a block loads, and how many of them neighbours have loaded.
struct Found {
  std::array<double, kBuffers> loaded{};
  std::array<double, kBuffers> found{};
};

/// Removes the part `found` of each buffer's loads.
void remove(const Found& found, BlockTrace& block) {
  std::array<double, kBuffers> rest{};  // of a sector
  for (TracedAccess& request : block.requests) {
    const std::size_t buffer = request.buffer;
    const bool is_load = request.is_in_l1 && request.kind == TracedAccess::Kind::kLoad;
    if (!is_load || found.found.at(buffer) == 0) continue;
    rest[buffer] += request.sectors * found.found[buffer] / found.loaded[buffer];
    const auto removed = std::min<int>(request.sectors, static_cast<int>(rest[buffer]));
    rest[buffer] -= removed;
    const double left = request.sectors == 0 ? 0 : 1.0 - 1.0 * removed / request.sectors;
    request.sectors = static_cast<std::uint16_t>(request.sectors - removed);
    request.more = static_cast<std::int16_t>(request.more + removed);
    request.reused = static_cast<std::uint16_t>(std::lround(request.reused * left));
    request.lost = static_cast<std::uint16_t>(
        std::min<long>(std::lround(request.lost * left), request.sectors - request.reused));
    block.l1_hits += static_cast<std::uint32_t>(removed);
  }
}

}  // namespace

void share_l1(const L1Use& use, Trace& trace) {
  const double others = use.resident - 1;
  if (use.bytes <= 0 || others <= 0) return;
  unsigned halvings = 0;
  double lines = 0;  // that a mean block loads
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_sm;
  for (std::size_t b = 0; b < trace.blocks.size(); ++b) {
    const BlockTrace& block = trace.blocks[b];
    halvings = std::max(halvings, block.l1_loads.halvings());
    lines += static_cast<double>(block.l1_loads.lines());
    by_sm[block.linear % use.row % use.sms].push_back(b);
  }
  if (lines == 0) return;
  lines /= static_cast<double>(trace.blocks.size());

  // How often other blocks ask for each new line and each sector, per time of a block.
  struct Asked {
    double times = 0;
    std::size_t block = 0;
    std::uint8_t buffer = 0;
  };
  std::vector<double> of_lines;
  std::vector<Asked> of_sectors;
  bool is_shared = false;
  for (const auto& of_sm : by_sm) {
    const std::vector<std::size_t>& places = of_sm.second;
    std::vector<const BlockTrace*> blocks;
    for (const std::size_t b : places) blocks.push_back(&trace.blocks[b]);
    const Neighbours neighbours(blocks, halvings, use.resident);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      neighbours.for_kept(b, [&](const L1Load& load) {
        const auto asked = [&](std::size_t sector) {
          return others * neighbours.loads(load.line, sector, b);
        };
        if (load.is_new) of_lines.push_back(asked(kSectors));
        for (std::size_t s = 0; s < kSectors; ++s) {
          if ((load.sectors >> s & 1) == 0) continue;
          of_sectors.push_back({asked(s), places[b], load.buffer});
          is_shared |= of_sectors.back().times > 0;
        }
      });
    }
  }
  if (!is_shared) return;

  constexpr int kRounds = 30;
  const double all = use.resident * lines * kL1LineBytes / use.bytes;  // if no line is shared
  double replaced = all;  // times that a line is replaced per time of a block
  for (int i = 0; i < kRounds && !of_lines.empty(); ++i) {
    double missed = 0;
    for (const double times : of_lines) missed += replaced / (times + replaced);
    replaced = all * std::max(missed / static_cast<double>(of_lines.size()), 1e-9);
  }

  std::vector<Found> found(trace.blocks.size());
  for (const Asked& one : of_sectors) {
    // One of all loads of the sector on the SM is the first.
    const double loads = one.times / others * use.blocks;
    const double later = loads > 1 ? 1 - 1 / loads : 0;
    found[one.block].loaded.at(one.buffer) += 1;
    found[one.block].found.at(one.buffer) += later * one.times / (one.times + replaced);
  }
  for (std::size_t b = 0; b < trace.blocks.size(); ++b) remove(found[b], trace.blocks[b]);
}

}  // namespace warpgrade::timing
