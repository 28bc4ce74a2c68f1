// SPDX-License-Identifier: Apache-2.0
// The uninitialised memory that one source line read.
#pragma once

#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::check {

struct UndefinedRead {
  base::SourceLocation where;
  std::vector<bool> shared{};                ///< One bit per byte of a block's shared memory.
  std::vector<std::vector<bool>> buffers{};  ///< One bit per byte, by buffer; empty if not read.
};

}  // namespace warpgrade::check
