// SPDX-License-Identifier: Apache-2.0
// The variables of a block's shared memory, for the check of each access.
//
// An access must be inside one variable. Lanes of a warp mostly use the same one, so a caller keeps
// the extent that it found for the last lane.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/sim/block.h"

namespace warpgrade::sim {

/// Offsets in shared memory that an access may use, without the padding between shared variables,
/// which does not exist on a GPU.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool has(std::uint64_t offset, std::uint64_t bytes) const {
    return offset >= begin && offset <= end && bytes <= end - offset;
  }
};

/// The variable that contains the bytes; empty if none does.
inline Extent array_at(const Block& block, std::uint64_t offset, std::uint64_t bytes) {
  const Extent all{0, block.shared_bytes};
  if (!all.has(offset, bytes)) return {};
  const auto& code = *block.code;
  if (code.shared_padding == 0) return all;
  for (const auto& v : code.shared_variables) {
    const std::uint64_t size = v.bytes == 0 ? block.launch->dynamic_shared_bytes : v.bytes;
    const Extent one{v.offset, std::min(v.offset + size, all.end)};
    if (one.has(offset, bytes)) return one;
  }
  return {};
}

/// Whether the access is inside one variable.
inline bool in_one_array(const Block& block, std::uint64_t offset, std::uint64_t bytes) {
  return array_at(block, offset, bytes).has(offset, bytes);
}

}  // namespace warpgrade::sim
