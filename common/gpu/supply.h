// SPDX-License-Identifier: Apache-2.0
// Contents of buffers on the device, of which every launch gets a copy of its own.
//
// To send hundreds of megabytes from the host before each launch takes a hundred times as long as
// the launch, so they are sent once. Only what a launch begins with lies here, never a result; a
// kernel that reaches out of its buffers and changes it is found at the next launch, whose inputs
// are compared with what the host knows.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "common/gpu/device_memory.h"
#include "common/gpu/driver.h"

namespace warpgrade::gpu {

class Supply {
 public:
  explicit Supply(const Driver& driver) : driver_(driver) {}

  /// Writes `content` to `memory`. `period` is that of trial.h's period_of(): of what repeats itself
  /// the first mebibyte is sent each time, all else is kept here under its place on the host, where
  /// the device has memory for it.
  void fill(const GuardedMemory& memory, std::span<const std::byte> content, std::size_t period);

  /// Gives all memory back.
  void clear() { kept_.clear(); }

 private:
  /// Where `content` is kept; nothing where there is no room.
  const Allocation* kept(std::span<const std::byte> content);

  const Driver& driver_;
  std::map<const std::byte*, std::unique_ptr<Allocation>> kept_;
};

}  // namespace warpgrade::gpu
