// SPDX-License-Identifier: Apache-2.0
// A piece of device memory: its device address and the host memory behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/outside_access.h"

namespace warpgrade::sim {

class SparseBuffer;

struct Region {
  std::uint64_t base = 0;  ///< Device address of the first byte.
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;
  std::string name;  ///< Name of the buffer or variable.
  std::uint32_t element_bytes = 1;
  bool is_buffer = false;
  /// For pieces from malloc(): one bit per byte, set if written; else nullptr.
  std::vector<bool>* written = nullptr;
  /// Finds the host address of its bytes, which are not at `host`; else nullptr.
  SparseBuffer* sparse = nullptr;
};

/// Place of an access that is out of bounds, and what to do about it; words for a message.
struct Outside {
  std::string where;   ///< Relative to the nearest memory; unused if there are facts.
  std::string advice;  ///< The next step for the student.
  std::optional<base::OutsideAccess> facts = std::nullopt;  ///< Of memory with a name.
};

}  // namespace warpgrade::sim
