// SPDX-License-Identifier: Apache-2.0
// The block that wrote each cell of a buffer.
//
// Most kernels never read their own output. Therefore writes first go to a list, until the writer
// of a cell is requested or the list becomes as long as the map would be; then the list is
// converted to a map. Kernels usually write rows, so 32 consecutive cells share one number, or two
// if one row ends in them and the next begins; other groups store each cell separately. A buffer
// written in rows costs 12 bytes per 32 cells.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpgrade::check {

/// The writer of a cell: kNobody, kSeveral, or the number given by the caller.
using Writer = std::uint32_t;
constexpr Writer kNobody = 0;
constexpr Writer kSeveral = 0xffffffffU;
constexpr Writer kMostWriters = 0xfffffffdU;  ///< Writers are numbers from 1 to this one.

class WriterMap {
 public:
  explicit WriterMap(std::uint64_t cells = 0);

  std::uint64_t cells() const { return cells_; }
  Writer writer(std::uint64_t cell) const {
    look_up_list();
    const Group& group = groups_[cell / kGroup];
    if (group.most == kSplit) return pages_[cell / kPage][cell % kPage];
    return (group.of_rest >> cell % kGroup & 1U) != 0 ? group.rest : group.most;
  }
  /// Whether some of the `count` cells from `first` on are unwritten.
  bool any_unwritten(std::uint64_t first, std::uint64_t count) const;
  /// Whether one of them is written.
  bool any_written(std::uint64_t first, std::uint64_t count) const;
  /// `writer` writes the `count` cells from `first` on.
  void write(std::uint64_t first, std::uint32_t count, Writer writer) {
    if (is_list_) {
      if (list_.size() < groups_of(cells_)) {
        list_.push_back({first, count, writer});
        return;
      }
      look_up_list();
    }
    write_in_map({first, count, writer});
  }
  /// Adds the writes of `other`, which has as many cells.
  void merge(const WriterMap& other);

 private:
  static constexpr std::uint64_t kGroup = 32;
  static constexpr std::uint64_t kPage = 8 * kGroup;
  static constexpr Writer kSplit = 0xfffffffeU;
  struct Group {
    Writer most = kNobody;  ///< kSplit: the group stores each cell separately.
    Writer rest = kNobody;
    std::uint32_t of_rest = 0;  ///< One bit per cell: it has `rest` and not `most`.
  };

  /// `writer` wrote `count` cells from `first` on.
  struct Write {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    Writer writer = kNobody;
  };

  static std::uint64_t groups_of(std::uint64_t cells) { return (cells + kGroup - 1) / kGroup; }
  /// Converts the list to an equivalent map, unless there is a map.
  void look_up_list() const {
    if (is_list_) make_map();
  }
  void make_map() const;
  void write_in_map(const Write& write) const;
  void write_in(std::uint64_t group, std::uint32_t cells, Writer writer) const;
  Writer* split(std::uint64_t group) const;

  std::uint64_t cells_ = 0;
  mutable bool is_list_ = true;
  mutable std::vector<Write> list_;  ///< Empty if there is a map.
  mutable std::vector<Group> groups_;
  mutable std::vector<std::unique_ptr<Writer[]>> pages_;  ///< Split groups' cells; made on demand.
};

}  // namespace warpgrade::check
