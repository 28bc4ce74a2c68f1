// SPDX-License-Identifier: Apache-2.0
// Ranges are split at groups; in a group without separate cells, a range needs a mask and one or
// two comparisons.
#include "common/check/writer_map.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpgrade::check {
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

}  // namespace warpgrade::check
