// SPDX-License-Identifier: Apache-2.0
// The wide machine access for a PTX access to shared memory and its neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/run/observer.h"

namespace warpgrade::memory {

/// A wide access to shared memory for the PTX access `narrow` on its line: of `bytes` per lane,
/// aligned to its size as the hardware demands. It uses its own addresses, so it must outlive its
/// event.
class WideAccess {
 public:
  WideAccess(const run::MemoryEvent& narrow, std::uint8_t bytes) : event_(narrow) {
    for (std::size_t lane = 0; lane < address_.size(); ++lane) {
      if ((narrow.mask >> lane & 1U) != 0) address_[lane] = narrow.address[lane] / bytes * bytes;
    }
    event_.bytes = bytes;
    event_.address = address_.data();
    event_.data = nullptr;
    if (narrow.stride % bytes != 0) event_.stride = run::kIrregular;
  }
  WideAccess(const WideAccess&) = delete;
  WideAccess& operator=(const WideAccess&) = delete;

  const run::MemoryEvent& event() const { return event_; }

 private:
  std::array<std::uint64_t, 32> address_{};
  run::MemoryEvent event_;
};

}  // namespace warpgrade::memory
