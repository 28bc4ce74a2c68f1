// SPDX-License-Identifier: Apache-2.0
#include "common/sim/frame.h"

namespace warpgrade::sim {

bool same_call(const Frame* a, const Frame* b) {
  while (a != b) {
    if (a == nullptr || b == nullptr || a->site != b->site || a->callee != b->callee) return false;
    if (!a->saved.empty() || !b->saved.empty()) return false;
    a = a->parent;
    b = b->parent;
  }
  return true;
}

Frame* Frames::make() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Frame>());
    return all_.back().get();
  }
  auto* frame = free_.back();
  free_.pop_back();
  return frame;
}

void Frames::drop(std::uint32_t lanes, Frame* from, const Frame* to) {
  for (auto* frame = from; frame != to; frame = frame->parent) {
    frame->inside &= ~lanes;
    if (frame->inside == 0) free_.push_back(frame);
  }
}

void Frames::move(std::uint32_t lanes, Frame* from, Frame* to) {
  while (from != to) {
    to->inside |= lanes;
    from->inside &= ~lanes;
    if (from->inside == 0) free_.push_back(from);
    from = from->parent;
    to = to->parent;
  }
}

void Frames::clear() {
  free_.clear();
  for (const auto& frame : all_) free_.push_back(frame.get());
}

}  // namespace warpgrade::sim
