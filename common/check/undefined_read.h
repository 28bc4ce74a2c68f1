// SPDX-License-Identifier: Apache-2.0
// What the reads of one source line took of memory that nothing had written.
#pragma once

#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::check {

struct UndefinedRead {
  base::SourceLocation where;
  std::vector<bool> shared{};                ///< A bit a byte of a block's shared memory.
  std::vector<std::vector<bool>> buffers{};  ///< A bit a byte, by buffer; empty: nothing of it.
};

}  // namespace warpgrade::check
