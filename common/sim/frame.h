// SPDX-License-Identifier: Apache-2.0
// The function calls of a warp's lanes.
//
// A function's registers and .param variables are slots like the kernel's. All its calls share
// them, because each lane is in one call at a time. Only a recursive call must save the content
// that the lane's outer call has in these slots; the frame keeps it until the return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/sim/micro_op.h"

namespace warpgrade::sim {

/// One call by the lanes that were together there. A frame lives while some lane is inside.
struct Frame {
  Frame* parent = nullptr;  ///< The caller's frame; nullptr: the kernel.
  const CallSite* site = nullptr;
  const Callee* callee = nullptr;
  std::uint32_t return_pc = 0;
  std::uint32_t depth = 0;       ///< 1: called by the kernel.
  std::uint64_t local_base = 0;  ///< Offset of the callee's variables in a thread's local memory.
  std::uint32_t inside = 0;      ///< Lanes that have not returned or exited.
  /// The previous content of the callee's slots in all lanes; empty if the callee was not active.
  std::vector<std::byte> saved;
};

inline std::uint32_t depth_of(const Frame* frame) { return frame == nullptr ? 0 : frame->depth; }

/// Whether lanes in `a` and lanes in `b` at one position may join.
bool same_call(const Frame* a, const Frame* b);

/// The frames of a block's warps.
class Frames {
 public:
  Frame* make();
  /// `lanes` leave `from` and its callers up to `to`, where they stay.
  void drop(std::uint32_t lanes, Frame* from, const Frame* to);
  /// Moves `lanes` from `from` to `to`; same_call() must be true for both.
  void move(std::uint32_t lanes, Frame* from, Frame* to);
  void clear();

 private:
  std::vector<std::unique_ptr<Frame>> all_;
  std::vector<Frame*> free_;
};

}  // namespace warpgrade::sim
