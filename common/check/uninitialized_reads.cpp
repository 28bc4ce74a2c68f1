// SPDX-License-Identifier: Apache-2.0
#include "common/check/uninitialized_reads.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/check/finding.h"
#include "common/check/launch_view.h"

namespace warpgrade::check {
namespace {

// Runs of words in one loop; otherwise lane by lane, with a mask of the bytes in each word.

constexpr std::uint32_t kAllBytes = 0xf;
constexpr std::uint32_t kStep = kAllBytes + 1;

}  // namespace

void SharedUninitialized::begin_launch(const run::LaunchContext& /*context*/) {
  undefined_.clear();
  shadow_.assign((view_.shared_bytes() + 3) / 4, 0);
  epoch_ = 0;
}

void SharedUninitialized::begin_block() {
  epoch_ += kStep;
  if (epoch_ == 0) {  // numbers wrap after 2^28 blocks
    std::fill(shadow_.begin(), shadow_.end(), 0);
    epoch_ = kStep;
  }
}

void SharedUninitialized::memory(const run::MemoryEvent& event) {
  if (event.space != run::Space::kShared) return;
  const std::uint64_t begin = event.address[0];
  if (event.stride == event.bytes && event.mask == run::kFullMask &&
      (begin | event.bytes) % 4 == 0) {
    access_run(event, begin / 4, run::kWarpSize * event.bytes / 4);
  } else if (event.stride == 0 && event.mask == run::kFullMask && (begin | event.bytes) % 4 == 0) {
    access_run(event, begin / 4, event.bytes / 4U);
  } else {
    access_lanes(event);
  }
}

// All lanes together touch `words` consecutive words.
void SharedUninitialized::access_run(const run::MemoryEvent& event, std::uint64_t first_word,
                                     std::uint32_t words) {
  if (first_word + words > shadow_.size()) return;  // out of bounds: the simulator reports it
  std::uint32_t* const shadow = shadow_.data() + first_word;
  const std::uint32_t written = epoch_ | kAllBytes;
  if (event.operation != run::Operation::kStore) {
    std::uint32_t different = 0;
    for (std::uint32_t i = 0; i < words; ++i) different |= shadow[i] ^ written;
    if (different != 0) {
      access_lanes(event);
      return;
    }
  }
  if (event.operation != run::Operation::kLoad) std::fill_n(shadow, words, written);
}

// Whether all loaded bytes, in whole words, have been written.
bool SharedUninitialized::all_written(const run::MemoryEvent& event) const {
  const std::uint32_t written = epoch_ | kAllBytes;
  std::uint32_t different = 0;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const std::uint64_t begin = event.address[std::countr_zero(left)];
    if (begin % 4 != 0 || begin + event.bytes > shadow_.size() * 4) return false;
    for (std::uint32_t i = 0; i < event.bytes / 4U; ++i) {
      different |= shadow_[begin / 4 + i] ^ written;
    }
  }
  return different == 0;
}

void SharedUninitialized::access_lanes(const run::MemoryEvent& event) {
  if (event.operation == run::Operation::kLoad && event.bytes % 4 == 0 && all_written(event))
    return;
  const bool reads = event.operation != run::Operation::kStore;
  const bool writes = event.operation != run::Operation::kLoad;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t begin = event.address[lane];
    const std::uint64_t end = begin + event.bytes;
    if (end > shadow_.size() * 4) continue;
    bool reported = false;
    for (std::uint64_t offset = begin; offset < end;) {
      const std::uint64_t next = std::min((offset | 3) + 1, end);  // end of this word or access
      const auto bits =
          static_cast<std::uint32_t>((kAllBytes >> (4 - (next - offset))) << (offset % 4));
      std::uint32_t& word = shadow_[offset / 4];
      const std::uint32_t written = (word & ~kAllBytes) == epoch_ ? word & kAllBytes : 0;
      const bool is_padding = bits == kAllBytes && std::popcount(written) % 2 != 0;
      if (reads && (bits & ~written) != 0 && !is_padding && !reported) {
        report(event, lane,
               offset / 4 * 4 + static_cast<unsigned>(std::countr_zero(bits & ~written)));
        reported = true;
      }
      if (writes) word = epoch_ | written | bits;
      offset = next;
    }
  }
}

// `offset` is the first unwritten byte that lane `lane` reads.
void SharedUninitialized::report(const run::MemoryEvent& event, std::uint32_t lane,
                                 std::uint64_t offset) {
  const auto line = view_.line_number(event.instruction);
  const auto moment = view_.moment(lane);
  auto& undefined = undefined_.try_emplace(line, BytesRead{event.instruction, {}}).first->second;
  // Blocks of a cluster count as one: later launches fill the memory of all blocks alike.
  const auto own_bytes = shadow_.size() * 4 / view_.cluster_blocks();
  undefined.bytes.resize(own_bytes);
  std::fill_n(
      undefined.bytes.begin() + static_cast<std::ptrdiff_t>(event.address[lane] % own_bytes),
      event.bytes, true);
  findings_.add({base::DiagnosticKind::kUninitializedRead, line, line}, moment, 1, [&] {
    const auto begin = event.address[lane];
    return view_.diagnostic(base::DiagnosticKind::kUninitializedRead, event.instruction,
                            moment.block, event.warp, lane,
                            base::UnwrittenRead{view_.shared_place(begin, event.bytes, event.warp),
                                                offset - begin, view_.cluster_blocks() > 1});
  });
}

void SharedUninitialized::merge(const SharedUninitialized& other) {
  Checker::merge(other);
  if (!view_.has_launch()) view_ = other.view_;  // only the forks receive the launch
  for (const auto& [line, theirs] : other.undefined_) {
    auto& mine = undefined_.try_emplace(line, theirs).first->second.bytes;
    std::transform(mine.begin(), mine.end(), theirs.bytes.begin(), mine.begin(),
                   std::logical_or<>());
  }
}

std::vector<UndefinedRead> SharedUninitialized::undefined_reads() const {
  std::vector<UndefinedRead> out;
  for (const auto& [line, read] : undefined_) {
    out.push_back({.where = view_.location(read.instruction), .shared = read.bytes});
  }
  return out;
}

namespace {

Writer combine(Writer a, Writer b) {
  return a == kNobody || a == b ? b : b == kNobody ? a : kSeveral;
}

/// `count` bits from `first` on; count is 1 to 32.
std::uint32_t bits(std::uint64_t first, std::uint64_t count) {
  return ~std::uint32_t{0} >> (32 - count) << first;
}

}  // namespace

WriterMap::WriterMap(std::uint64_t cells) : cells_(cells) {}

void WriterMap::make_map() const {
  is_list_ = false;
  groups_.resize(groups_of(cells_));
  pages_.resize((cells_ + kPage - 1) / kPage);
  for (const Write& write : std::exchange(list_, {})) write_in_map(write);
}

bool WriterMap::any_unwritten(std::uint64_t first, std::uint64_t count) const {
  look_up_list();
  for (std::uint64_t at = first, end = first + count; at < end;) {
    const std::uint64_t next = std::min((at / kGroup + 1) * kGroup, end);
    const Group& group = groups_[at / kGroup];
    if (group.most == kSplit) {
      const Writer* const cells = &pages_[at / kPage][at % kPage];
      if (std::find(cells, cells + (next - at), kNobody) != cells + (next - at)) return true;
    } else {
      const std::uint32_t asked = bits(at % kGroup, next - at);
      if (group.most == kNobody && (asked & ~group.of_rest) != 0) return true;
      if (group.rest == kNobody && (asked & group.of_rest) != 0) return true;
    }
    at = next;
  }
  return false;
}

bool WriterMap::any_written(std::uint64_t first, std::uint64_t count) const {
  for (std::uint64_t cell = first; cell < first + count; ++cell) {
    if (writer(cell) != kNobody) return true;
  }
  return false;
}

void WriterMap::write_in_map(const Write& write) const {
  for (std::uint64_t at = write.first, end = write.first + write.count; at < end;) {
    const std::uint64_t next = std::min((at / kGroup + 1) * kGroup, end);
    write_in(at / kGroup, bits(at % kGroup, next - at), write.writer);
    at = next;
  }
}

/// `writer` writes the group's cells that have a bit in `cells`.
void WriterMap::write_in(std::uint64_t number, std::uint32_t cells, Writer writer) const {
  Group& group = groups_[number];
  if (group.most != kSplit) {
    const bool in_most = (cells & group.of_rest) == 0;
    const bool in_rest = (cells & ~group.of_rest) == 0;
    if (in_most || in_rest) {
      const Writer before = in_most ? group.most : group.rest;
      const Writer after = combine(before, writer);
      const Writer other = in_most ? group.rest : group.most;
      const std::uint32_t all = in_most ? ~group.of_rest : group.of_rest;
      if (after == before) return;
      if (cells == all) {
        (in_most ? group.most : group.rest) = after;
        return;
      }
      if (group.of_rest == 0) group.rest = after;
      if (group.of_rest == 0 || after == other) {
        group.of_rest ^= cells;
        return;
      }
    }
  }
  Writer* const own = split(number);
  for (std::uint32_t left = cells; left != 0; left &= left - 1) {
    Writer& cell = own[std::countr_zero(left)];
    cell = combine(cell, writer);
  }
}

void WriterMap::merge(const WriterMap& other) {
  if (other.is_list_) {
    for (const Write& write : other.list_) this->write(write.first, write.count, write.writer);
    return;
  }
  look_up_list();
  for (std::uint64_t g = 0; g < groups_.size(); ++g) {
    const Group& theirs = other.groups_[g];
    if (theirs.most != kSplit) {
      if (theirs.most != kNobody) write_in(g, ~theirs.of_rest, theirs.most);
      if (theirs.of_rest != 0) write_in(g, theirs.of_rest, theirs.rest);
      continue;
    }
    Writer* const cells = split(g);
    const std::uint64_t end = std::min((g + 1) * kGroup, cells_);
    for (std::uint64_t at = g * kGroup; at < end; ++at) {
      cells[at % kGroup] = combine(cells[at % kGroup], other.writer(at));
    }
  }
}

/// The cells of a group, which become separate.
Writer* WriterMap::split(std::uint64_t number) const {
  auto& page = pages_[number * kGroup / kPage];
  if (page == nullptr) page = std::make_unique<Writer[]>(kPage);
  Writer* const cells = &page[number * kGroup % kPage];
  Group& group = groups_[number];
  if (group.most != kSplit) {
    for (std::uint64_t i = 0; i < kGroup; ++i) {
      cells[i] = (group.of_rest >> i & 1U) != 0 ? group.rest : group.most;
    }
    group = {kSplit, kNobody, 0};
  }
  return cells;
}

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
