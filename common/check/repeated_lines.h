// SPDX-License-Identifier: Apache-2.0
// Source lines that a thread may execute several times.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/module.h"

namespace warpgrade::check {

/// Knows the loops of one function, which must outlive it.
class RepeatedLines {
 public:
  explicit RepeatedLines(const ptx::Function& function);

  /// Whether the line of `instruction` is in a loop, or the compiler unrolled one: the line then
  /// has several stores.
  bool is_repeated(std::uint32_t instruction) const;

 private:
  const ptx::Function& function_;
  std::vector<ptx::BasicBlock> blocks_;
};

}  // namespace warpgrade::check
