// SPDX-License-Identifier: Apache-2.0
// Ranges are cut at groups; a whole group that is not split is one comparison.
#include "common/check/writer_map.h"

#include <algorithm>

namespace warpgrade::check {
namespace {

Writer combine(Writer a, Writer b) {
  return a == kNobody || a == b ? b : b == kNobody ? a : kSeveral;
}

}  // namespace

WriterMap::WriterMap(std::uint64_t cells)
    : cells_(cells),
      groups_((cells + kGroup - 1) / kGroup, kNobody),
      pages_((cells + kPage - 1) / kPage) {}

bool WriterMap::any_unwritten(std::uint64_t first, std::uint64_t count) const {
  for (std::uint64_t at = first, end = first + count; at < end;) {
    const std::uint64_t next = std::min((at / kGroup + 1) * kGroup, end);
    const Writer group = groups_[at / kGroup];
    if (group == kNobody) return true;
    if (group == kSplit) {
      const Writer* const cells = &pages_[at / kPage][at % kPage];
      if (std::find(cells, cells + (next - at), kNobody) != cells + (next - at)) return true;
    }
    at = next;
  }
  return false;
}

void WriterMap::write(std::uint64_t first, std::uint64_t count, Writer writer) {
  for (std::uint64_t at = first, end = first + count; at < end;) {
    const std::uint64_t next = std::min((at / kGroup + 1) * kGroup, end);
    Writer& group = groups_[at / kGroup];
    const bool is_whole = next - at == kGroup;
    if (group != kSplit && (is_whole || combine(group, writer) == group)) {
      group = combine(group, writer);
    } else {
      Writer* const cells = split(at / kGroup) + at % kGroup;
      for (std::uint64_t i = 0; i < next - at; ++i) cells[i] = combine(cells[i], writer);
    }
    at = next;
  }
}

void WriterMap::merge(const WriterMap& other) {
  for (std::uint64_t g = 0; g < groups_.size(); ++g) {
    const Writer theirs = other.groups_[g];
    if (theirs == kNobody) continue;
    if (theirs != kSplit && groups_[g] != kSplit) {
      groups_[g] = combine(groups_[g], theirs);
      continue;
    }
    Writer* const cells = split(g);
    const std::uint64_t end = std::min((g + 1) * kGroup, cells_);
    for (std::uint64_t at = g * kGroup; at < end; ++at) {
      cells[at % kGroup] = combine(cells[at % kGroup], other.writer(at));
    }
  }
}

/// The cells of a group, which has numbers of its own from now on.
Writer* WriterMap::split(std::uint64_t group) {
  auto& page = pages_[group * kGroup / kPage];
  if (page == nullptr) page = std::make_unique<Writer[]>(kPage);
  Writer* const cells = &page[group * kGroup % kPage];
  if (groups_[group] != kSplit) std::fill_n(cells, kGroup, groups_[group]);
  groups_[group] = kSplit;
  return cells;
}

}  // namespace warpgrade::check
