// SPDX-License-Identifier: Apache-2.0
// The lines that one block loads into L1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade::timing {

inline constexpr std::uint64_t kL1LineBytes = 128;

/// Sectors of a line that a block loads into L1.
struct L1Load {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;  ///< One bit each.
  std::uint8_t buffer = 0;   ///< As in TracedAccess.
  bool is_new = false;       ///< The block has no sector of the line there.
};

/// The loads of one block, or those of a random part of the lines if there are many.
class L1Loads {
 public:
  void add(const L1Load& load) {
    lines_ += load.is_new ? 1 : 0;
    if (!is_in_part(load.line, halvings_)) return;
    kept_.push_back(load);
    if (kept_.size() > kMost) halve();
  }
  void clear() { *this = {}; }

  /// Whether `line` is in the part of all lines that is left after `halvings`.
  static bool is_in_part(std::uint64_t line, unsigned halvings) {
    return (line * 0x9e3779b97f4a7c15U) >> 32 << halvings >> 32 == 0;
  }
  const std::vector<L1Load>& kept() const { return kept_; }
  unsigned halvings() const { return halvings_; }
  std::uint64_t lines() const { return lines_; }  ///< All loads with `is_new`.

 private:
  static constexpr std::size_t kMost = 1024;
  void halve() {
    ++halvings_;
    std::erase_if(kept_, [&](const L1Load& load) { return !is_in_part(load.line, halvings_); });
  }

  std::vector<L1Load> kept_;
  unsigned halvings_ = 0;
  std::uint64_t lines_ = 0;
};

}  // namespace warpgrade::timing
