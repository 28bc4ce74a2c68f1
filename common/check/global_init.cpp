// SPDX-License-Identifier: Apache-2.0
// Marks writers while blocks run, stores early reads, and evaluates them when findings are
// requested, because writes of other blocks, on any observer, are known only then.
#include "common/check/global_init.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace warpgrade::check {
namespace {

constexpr std::size_t kMostEarlyReads = std::size_t{1} << 20;
// Cells that are processed together: a few of the map's groups.
constexpr std::uint64_t kCellsAtOnce = 256;

// The number of a block in a shadow.
Writer writer_of(std::uint64_t linear_block) {
  return static_cast<Writer>(linear_block % kMostWriters) + 1;
}

std::uint32_t cell_bytes_of(const BufferView& buffer) {
  if (buffer.element_bytes % 4 == 0) return 4;
  return buffer.element_bytes == 2 ? 2 : 1;
}

}  // namespace

void GlobalInit::merge(GlobalInit& other) {
  if (!view_.has_launch()) {  // only the forks receive the launch
    *this = std::move(other);
    return;
  }
  // Keeps the early reads of the first blocks, independent of the number of observers.
  const auto room = std::min(kMostEarlyReads - early_reads_.size(), other.early_reads_.size());
  early_reads_.insert(early_reads_.end(), other.early_reads_.begin(),
                      other.early_reads_.begin() + static_cast<std::ptrdiff_t>(room));
  for (std::size_t i = 0; i < shadows_->size() && i < other.shadows_->size(); ++i) {
    Shadow& mine = (*shadows_)[i];
    Shadow& theirs = (*other.shadows_)[i];
    if (!theirs.is_touched) continue;
    if (!mine.is_touched) {
      std::swap(mine, theirs);
      continue;
    }
    mine.writers.merge(theirs.writers);
  }
}

void GlobalInit::begin_launch(const run::LaunchContext& /*context*/) {
  early_reads_.clear();
  shadows_ = std::make_shared<std::vector<Shadow>>();
  any_shadow_ = false;
  for (const auto& buffer : view_.buffers()) {
    Shadow shadow;
    const bool is_asked_for = view_.has_read_only_loads() && !buffer.read_only;
    if ((!buffer.defined || is_asked_for) && buffer.bytes > 0) {
      any_shadow_ = true;
      shadow.cell_bytes = cell_bytes_of(buffer);
      shadow.writers = WriterMap((buffer.bytes + shadow.cell_bytes - 1) / shadow.cell_bytes);
    }
    shadows_->push_back(std::move(shadow));
  }
}

void GlobalInit::begin_launch_beside(const run::LaunchContext& /*context*/, GlobalInit& first) {
  early_reads_.clear();
  any_shadow_ = first.any_shadow_;
  shadows_ = first.shadows_;
}

void GlobalInit::memory(const run::MemoryEvent& event) {
  if (event.space != run::Space::kGlobal || !any_shadow_) return;
  const std::uint64_t bytes = event.bytes;
  if (const auto buffer = view_.buffer_of(event); buffer != LaunchView::kNoBuffer) {
    const auto& shadow = (*shadows_)[buffer];
    if (shadow.writers.cells() == 0) return;
    if (event.stride == event.bytes && bytes % shadow.cell_bytes == 0) {
      access(event, buffer, 0, run::kWarpSize);  // at once, because lanes touch whole cells
      return;
    }
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) access(event, buffer, lane, 1);
    return;
  }
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto buffer = view_.buffer_at(event.address[lane], bytes);
    if (buffer != LaunchView::kNoBuffer && (*shadows_)[buffer].writers.cells() != 0) {
      access(event, buffer, lane, 1);
    }
  }
}

// Accesses `lanes` lanes from `lane` on, which touch consecutive cells; whole cells if there are
// several lanes.
void GlobalInit::access(const run::MemoryEvent& event, std::uint32_t buffer, std::uint32_t lane,
                        std::uint32_t lanes) {
  Shadow& shadow = (*shadows_)[buffer];
  const std::uint64_t offset = event.address[lane] - view_.buffers()[buffer].address;
  const std::uint64_t first = offset / shadow.cell_bytes;
  const std::uint64_t last = (offset + std::uint64_t{event.bytes} * lanes - 1) / shadow.cell_bytes;
  const auto count = static_cast<std::uint32_t>(last - first + 1);
  const bool may_be_early =
      event.operation != run::Operation::kStore && !view_.buffers()[buffer].defined;
  const auto& view = view_.buffers()[buffer];
  if (may_be_early && shadow.writers.any_unwritten(first, count) &&
      !view.is_written(first * shadow.cell_bytes, std::uint64_t{count} * shadow.cell_bytes)) {
    keep({.moment = view_.moment(lane),
          .first_cell = first,
          .instruction = event.instruction,
          .warp = event.warp,
          .lane = lane,
          .lanes = lanes,
          .cells = lanes > 1 ? count / lanes : count,
          .buffer = buffer});
  }
  if (event.operation != run::Operation::kLoad) {
    shadow.writers.write(first, count, writer_of(view_.block()));
    shadow.is_touched = true;
  }
}

void GlobalInit::keep(const EarlyRead& read) {
  if (!early_reads_.empty()) {  // a polling thread repeats the same read
    EarlyRead& last = early_reads_.back();
    if (last.moment.block == read.moment.block && last.instruction == read.instruction &&
        last.warp == read.warp && last.lane == read.lane && last.lanes == read.lanes &&
        last.buffer == read.buffer && last.first_cell == read.first_cell) {
      last.repeats += 1;
      return;
    }
  }
  if (early_reads_.size() < kMostEarlyReads) early_reads_.push_back(read);
}

bool GlobalInit::is_written(std::uint32_t buffer, std::uint64_t offset, std::uint32_t bytes) const {
  const Shadow& shadow = (*shadows_)[buffer];
  if (shadow.writers.cells() == 0) return false;
  const auto first = offset / shadow.cell_bytes;
  return shadow.writers.any_written(first, (offset + bytes - 1) / shadow.cell_bytes - first + 1);
}

std::vector<bool> GlobalInit::written(std::uint32_t buffer) const {
  const Shadow& shadow = (*shadows_)[buffer];
  const BufferView& view = view_.buffers()[buffer];
  std::vector<bool> out = view.written != nullptr ? *view.written : std::vector<bool>(view.bytes);
  const auto cells = shadow.writers.cells();
  for (std::uint64_t cell = 0; cell < cells; cell += kCellsAtOnce) {
    const auto count = std::min(kCellsAtOnce, cells - cell);
    const bool is_whole = !shadow.writers.any_unwritten(cell, count);
    const auto step = is_whole ? count : 1;
    for (auto c = cell; c < cell + count; c += step) {
      if (!is_whole && shadow.writers.writer(c) == kNobody) continue;
      const auto begin = c * shadow.cell_bytes;
      const auto end = std::min(begin + step * shadow.cell_bytes, view.bytes);
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin),
                out.begin() + static_cast<std::ptrdiff_t>(end), true);
    }
  }
  return out;
}

// Calls function(read, i, first, cell) for lane read.lane + i of each early read that no other
// block's write can justify: its first cell, and the first undefined one.
template <typename Function>
void GlobalInit::for_each_undefined(const Function& function) const {
  for (const EarlyRead& read : early_reads_) {
    const Shadow& shadow = (*shadows_)[read.buffer];
    const BufferView& buffer = view_.buffers()[read.buffer];
    const Writer reader = writer_of(read.moment.block);
    const auto is_right = [&](std::uint64_t which) {
      const auto writer = shadow.writers.writer(which);
      return (writer != kNobody && writer != reader) ||
             buffer.is_written(which * shadow.cell_bytes, shadow.cell_bytes);
    };
    for (std::uint32_t i = 0; i < read.lanes; ++i) {
      const std::uint64_t first = read.first_cell + std::uint64_t{i} * read.cells;
      auto cell = first;
      while (cell < first + read.cells && is_right(cell)) ++cell;
      if (cell != first + read.cells) function(read, i, first, cell);
    }
  }
}

Findings GlobalInit::findings() const {
  Findings findings;
  for_each_undefined([&](const EarlyRead& read, std::uint32_t i, std::uint64_t,
                         std::uint64_t cell) {
    const BufferView& buffer = view_.buffers()[read.buffer];
    const auto line = view_.line_number(read.instruction);
    Moment moment = read.moment;
    moment.part += i;
    const auto cell_bytes = (*shadows_)[read.buffer].cell_bytes;
    findings.add({base::DiagnosticKind::kUninitializedRead, line, line}, moment, read.repeats, [&] {
      return view_.diagnostic(
          base::DiagnosticKind::kUninitializedRead, read.instruction, moment.block, read.warp,
          read.lane + i, base::UnwrittenRead{buffer_place(buffer, cell * cell_bytes, cell_bytes)});
    });
  });
  return findings;
}

std::vector<UndefinedRead> GlobalInit::undefined_reads() const {
  std::map<std::uint32_t, UndefinedRead> by_line;
  for_each_undefined([&](const EarlyRead& read, std::uint32_t, std::uint64_t first, std::uint64_t) {
    auto& undefined = by_line[view_.line_number(read.instruction)];
    undefined.where = view_.location(read.instruction);
    undefined.buffers.resize(view_.buffers().size());
    auto& bytes = undefined.buffers[read.buffer];
    bytes.resize(view_.buffers()[read.buffer].bytes);
    const std::uint64_t cell_bytes = (*shadows_)[read.buffer].cell_bytes;
    const auto end = std::min((first + read.cells) * cell_bytes, std::uint64_t{bytes.size()});
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(first * cell_bytes),
              bytes.begin() + static_cast<std::ptrdiff_t>(end), true);
  });
  std::vector<UndefinedRead> out;
  for (auto& [line, undefined] : by_line) out.push_back(std::move(undefined));
  return out;
}

}  // namespace warpgrade::check
