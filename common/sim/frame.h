// SPDX-License-Identifier: Apache-2.0
// Calls that lanes of a warp are in.
//
// A function's registers and .param variables are slots like the kernel's, one place for all its
// calls, since each lane is in one of them at a time. Only a recursive call has to put aside what
// the lane's outer call of that function has in them; the frame keeps it until the return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/sim/micro_op.h"

namespace warpgrade::sim {

/// One call by the lanes that were together at it. A frame lives while some lane is inside.
struct Frame {
  Frame* parent = nullptr;  ///< The caller's; nullptr: the kernel.
  const CallSite* site = nullptr;
  const Callee* callee = nullptr;
  std::uint32_t return_pc = 0;
  std::uint32_t depth = 0;       ///< 1: called by the kernel.
  std::uint64_t local_base = 0;  ///< Offset of the callee's variables in a thread's local memory.
  std::uint32_t inside = 0;      ///< Lanes that have not returned or exited.
  /// The earlier content of the callee's slots, of all lanes; empty if the callee was not active.
  std::vector<std::byte> saved;
};

inline std::uint32_t depth_of(const Frame* frame) { return frame == nullptr ? 0 : frame->depth; }

/// Whether lanes in `a` and lanes in `b` at one position may go on together.
bool same_call(const Frame* a, const Frame* b);

/// The frames of a block's warps.
class Frames {
 public:
  Frame* make();
  /// `lanes` leave `from` and its callers up to `to`, which they stay in.
  void drop(std::uint32_t lanes, Frame* from, const Frame* to);
  /// `lanes` in `from` are in `to` from now on; same_call() holds for both.
  void move(std::uint32_t lanes, Frame* from, Frame* to);
  void clear();

 private:
  std::vector<std::unique_ptr<Frame>> all_;
  std::vector<Frame*> free_;
};

}  // namespace warpgrade::sim
