// SPDX-License-Identifier: Apache-2.0
// A piece of device memory: its device address and the host memory behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "common/base/place.h"

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

/// Words for an out-of-bounds access that is far from any memory with a name.
struct OutsideWords {
  std::string where;
  std::string advice;  ///< The next step for the student.
};
/// The facts of an access that is out of bounds; what it does is not known yet.
using Outside = std::variant<base::OutsideAccess, OutsideWords>;

}  // namespace warpgrade::sim
