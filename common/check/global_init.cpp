// SPDX-License-Identifier: Apache-2.0
// Marks writers while blocks run, keeps early reads, and judges them when asked for findings: what
// another block wrote, on whichever observer, is known only then.
#include "common/check/global_init.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace warpgrade::check {
namespace {

constexpr std::uint32_t kSeveral = 0xffffffffU;
constexpr std::size_t kMostEarlyReads = std::size_t{1} << 20;

std::uint32_t combine(std::uint32_t a, std::uint32_t b) {
  return a == 0 || a == b ? b : b == 0 ? a : kSeveral;
}

// As a block is written down in a shadow.
std::uint32_t writer_of(std::uint64_t linear_block) {
  return static_cast<std::uint32_t>(linear_block % (kSeveral - 1)) + 1;
}

std::uint32_t cell_bytes_of(const BufferView& buffer) {
  if (buffer.element_bytes % 4 == 0) return 4;
  return buffer.element_bytes == 2 ? 2 : 1;
}

}  // namespace

std::unique_ptr<run::Observer> GlobalInit::fork() const {
  auto forked = std::make_unique<GlobalInit>();
  forked->view_ = view_;
  if (view_.has_launch()) forked->allocate();
  return forked;
}

void GlobalInit::join(run::Observer& observer) {
  auto& other = static_cast<GlobalInit&>(observer);
  if (!view_.has_launch()) {  // Only the forks have been told of the launch.
    *this = std::move(other);
    return;
  }
  early_reads_.insert(early_reads_.end(), other.early_reads_.begin(), other.early_reads_.end());
  for (std::size_t i = 0; i < shadows_.size() && i < other.shadows_.size(); ++i) {
    Shadow& mine = shadows_[i];
    Shadow& theirs = other.shadows_[i];
    if (!theirs.is_touched) continue;
    if (!mine.is_touched) {
      std::swap(mine, theirs);
      continue;
    }
    for (std::uint64_t cell = 0; cell < mine.cells; ++cell) {
      mine.writer[cell] = combine(mine.writer[cell], theirs.writer[cell]);
    }
  }
}

void GlobalInit::on_launch(const run::LaunchContext& context) {
  view_.begin_launch(context);
  early_reads_.clear();
  allocate();
}

void GlobalInit::allocate() {
  shadows_.clear();
  any_undefined_ = false;
  for (const auto& buffer : view_.buffers()) {
    Shadow shadow;
    if (!buffer.defined && buffer.bytes > 0) {
      any_undefined_ = true;
      shadow.cell_bytes = cell_bytes_of(buffer);
      shadow.cells = (buffer.bytes + shadow.cell_bytes - 1) / shadow.cell_bytes;
      // calloc: pages that no block touches cost nothing.
      shadow.writer.reset(
          static_cast<std::uint32_t*>(std::calloc(shadow.cells, sizeof(std::uint32_t))));
      if (!shadow.writer) throw std::bad_alloc();
    }
    shadows_.push_back(std::move(shadow));
  }
}

void GlobalInit::on_block_begin(std::uint64_t linear_block) { view_.begin_block(linear_block); }

void GlobalInit::on_barrier(const run::BarrierEvent& /*event*/) { view_.count_event(); }

void GlobalInit::on_order(const run::OrderEvent& /*event*/) { view_.count_event(); }

void GlobalInit::on_memory(const run::MemoryEvent& event) {
  view_.count_event();
  if (event.space != run::Space::kGlobal || !any_undefined_) return;
  const std::uint64_t bytes = event.bytes;
  if (event.stride == event.bytes && event.mask == run::kFullMask) {
    const auto buffer = view_.buffer_at(event.address[0], bytes * run::kWarpSize);
    if (buffer != LaunchView::kNoBuffer) {
      // In one piece where lanes touch whole cells.
      const auto& shadow = shadows_[buffer];
      if (shadow.cells == 0) return;
      if (bytes % shadow.cell_bytes == 0) {
        access(event, buffer, 0, run::kWarpSize);
        return;
      }
    }
  }
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto buffer = view_.buffer_at(event.address[lane], bytes);
    if (buffer != LaunchView::kNoBuffer && shadows_[buffer].cells != 0) {
      access(event, buffer, lane, 1);
    }
  }
}

// `lanes` lanes from `lane` on touch consecutive cells, whole ones where they are more than one.
void GlobalInit::access(const run::MemoryEvent& event, std::uint32_t buffer, std::uint32_t lane,
                        std::uint32_t lanes) {
  Shadow& shadow = shadows_[buffer];
  const std::uint64_t offset = event.address[lane] - view_.buffers()[buffer].address;
  const std::uint64_t first = offset / shadow.cell_bytes;
  const std::uint64_t last = (offset + std::uint64_t{event.bytes} * lanes - 1) / shadow.cell_bytes;
  const auto count = static_cast<std::uint32_t>(last - first + 1);
  std::uint32_t* const writer = shadow.writer.get() + first;
  if (event.operation != run::Operation::kStore) {
    std::uint32_t unwritten = 0;
    for (std::uint32_t i = 0; i < count; ++i) unwritten |= writer[i] == 0 ? 1U : 0U;
    if (unwritten != 0) {
      keep({.moment = view_.moment(lane),
            .first_cell = first,
            .instruction = event.instruction,
            .warp = event.warp,
            .lane = lane,
            .lanes = lanes,
            .cells = lanes > 1 ? count / lanes : count,
            .buffer = buffer});
    }
  }
  if (event.operation != run::Operation::kLoad) {
    const std::uint32_t me = writer_of(view_.block());
    for (std::uint32_t i = 0; i < count; ++i) {
      writer[i] = writer[i] == 0 || writer[i] == me ? me : kSeveral;
    }
    shadow.is_touched = true;
  }
}

void GlobalInit::keep(const EarlyRead& read) {
  if (!early_reads_.empty()) {  // A thread that polls reads the same over and over.
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

Findings GlobalInit::findings() const {
  Findings findings;
  for (const EarlyRead& read : early_reads_) {
    const Shadow& shadow = shadows_[read.buffer];
    const BufferView& buffer = view_.buffers()[read.buffer];
    const std::uint32_t reader = writer_of(read.moment.block);
    const auto line = view_.line_number(read.instruction);
    for (std::uint32_t i = 0; i < read.lanes; ++i) {
      const std::uint64_t begin = read.first_cell + std::uint64_t{i} * read.cells;
      const std::uint32_t* const cells = shadow.writer.get() + begin;
      const auto* const bad = std::find_if(cells, cells + read.cells, [&](std::uint32_t writer) {
        return writer == 0 || writer == reader;
      });
      if (bad == cells + read.cells) continue;
      Moment moment = read.moment;
      moment.part += i;
      findings.add(
          {base::DiagnosticKind::kUninitializedRead, line, line}, moment, read.repeats, [&] {
            const auto cell = begin + static_cast<std::uint64_t>(bad - cells);
            return view_.diagnostic(
                base::DiagnosticKind::kUninitializedRead, read.instruction, moment.block, read.warp,
                read.lane + i,
                fmt::format(
                    "thread {} reads {} before the kernel has written it. {} does not start as "
                    "zeros: store to an element before reading it, or add up in a variable of "
                    "the thread.",
                    view_.thread_text(read.warp, read.lane + i),
                    element_text(buffer, cell * shadow.cell_bytes), buffer.name));
          });
    }
  }
  return findings;
}

}  // namespace warpgrade::check
