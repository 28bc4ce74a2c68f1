// SPDX-License-Identifier: Apache-2.0
#include "common/timing/atomic_sharing.h"

#include <map>
#include <set>

namespace warpgrade::timing {

AtomicSharing::AtomicSharing(const Trace& trace, double row_blocks, double chip_share)
    : most_(1 / chip_share) {
  std::map<std::uint64_t, std::set<std::uint64_t>> pieces;  // by row
  for (const BlockTrace& block : trace.blocks) {
    auto& found =
        pieces[static_cast<std::uint64_t>(static_cast<double>(block.linear) / row_blocks)];
    for (const BlockAtomicWork& atomic : block.atomic_works) found.insert(atomic.work.piece);
  }
  rows_ = static_cast<double>(pieces.size());
  for (const auto& [row, found] : pieces) {
    for (const std::uint64_t piece : found) ++rows_of_[piece];
  }
}

double AtomicSharing::at(std::uint64_t piece) const {
  const auto found = rows_of_.find(piece);
  if (found == rows_of_.end()) return 1;
  const double rows = found->second;
  // Expected share of the other rows that use the piece.
  const double others = rows_ < 2 ? 1 : (rows - 1) / (rows_ - 1);
  return (1 + others * (rows_ * most_ - 1)) / rows;
}

}  // namespace warpgrade::timing
