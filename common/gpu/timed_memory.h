// SPDX-License-Identifier: Apache-2.0
// The memory of timed launches.
//
// Every launch, of whichever program, gets its buffers in one allocation that all of them share, so
// that where it lies weighs on all alike; move() begins them elsewhere in it. Before a launch they
// are written: inputs from a copy that lies beside it, each content with the elements begun at
// another place; what repeats itself and what a kernel may write with what the host sends. So no
// launch finds what an earlier one has left, and none can keep anything in the copies, which would
// show as a wrong input at the next launch, nor behind them, which is overwritten as the rest is. A
// buffer that is read and written has no copy: one that was changed to the right result of another
// content would not show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/gpu/launchable.h"
#include "common/gpu/session.h"
#include "common/run/pattern.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {

/// Makes in `memory`, which holds a content, what is right; on the device.
using MakeExpected = std::function<void(Session& session, const DeviceBuffers& memory)>;

/// One a buffer: bytes by which its content is turned, so that it begins at that byte and ends at
/// the one before.
using Rotation = std::vector<std::uint64_t>;

/// Launches that are timed as one, with contents that are taken in turn.
struct TimedProgram {
  const std::vector<char>* machine_code = nullptr;
  run::Sequence sequence;
  std::vector<run::Pattern> before;  ///< One that repeats itself is not turned.
  std::vector<Rotation> contents;
  MakeExpected make_expected;
};

/// A buffer of one content, whole, as a launch finds it.
run::Buffer content_of(const TimedProgram& program, std::size_t content, std::size_t buffer);

class TimedMemory {
 public:
  /// Sends inputs to the device, takes memory and waits until that is as fast as it will be.
  /// `session` and `programs` outlive this.
  TimedMemory(Session& session, const std::vector<TimedProgram>& programs);

  /// Buffers will begin `pages` further on, at most kMostPages.
  void move(std::uint64_t pages);
  static constexpr std::uint64_t kMostPages = 8;
  /// The program's buffers with that content; until the next call of any of these.
  DeviceBuffers filled(std::size_t program, std::size_t content) const;
  /// Bytes for our own kernels after a launch, aligned to a page.
  DevicePointer scratch() const { return memory_->address() + bytes_ - kScratch; }
  static constexpr std::uint64_t kScratch = std::uint64_t{2} << 20;
  /// Overwrites all that a launch could have written to, but for the copies.
  void wipe() const;

 private:
  Session& session_;
  const std::vector<TimedProgram>& programs_;
  struct Source {
    std::unique_ptr<Allocation> copy;  ///< For an input that does not repeat itself.
    std::vector<std::byte> period;     ///< For every other buffer.
  };
  std::vector<std::vector<Source>> sources_;  ///< A program, a buffer.
  /// The size of the memory: the largest program, the pages before it and the scratch behind it.
  std::uint64_t bytes_ = 0;
  std::uint64_t begin_ = 0;  ///< The first buffer's.
  std::unique_ptr<Allocation> memory_;
};

}  // namespace warpgrade::gpu
