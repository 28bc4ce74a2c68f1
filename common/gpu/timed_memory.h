// SPDX-License-Identifier: Apache-2.0
// The memory of timed launches.
//
// All launches of all programs have their buffers in one shared allocation, so its address affects
// all alike; move() shifts the buffers within it. Before a launch the buffers are written: inputs
// from a copy on the device, rotated by a different number of elements for each content; patterns
// that repeat and buffers that a kernel may write with data from the host. So no launch finds data
// of an earlier one. A kernel cannot keep data in the copies, because that would show as a wrong
// input at the next launch, nor after them, because that memory is overwritten, too. A buffer that
// is read and written has no copy: a copy changed to the right result of another content would go
// unnoticed.
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

/// Computes the expected results in `memory`, which contains the inputs, on the device.
using MakeExpected = std::function<void(Session& session, const DeviceBuffers& memory)>;

/// Per buffer, the bytes by which its content is rotated: it begins at that byte and ends at the
/// one before.
using Rotation = std::vector<std::uint64_t>;

/// How far floats may be from the expected ones: one of the two bounds must hold.
struct Nearness {
  std::uint64_t ulps = 0;  ///< Steps between representable numbers; 0: equal bits.
  double difference = 0;
};

/// Launches that are timed as one, with contents used in turn.
struct TimedProgram {
  const std::vector<char>* machine_code = nullptr;
  run::Sequence sequence;
  std::vector<run::Pattern> before;  ///< Repeating patterns are not rotated.
  std::vector<Rotation> contents;
  MakeExpected make_expected;
  /// By buffer; a buffer without an entry must have the expected bits.
  std::vector<Nearness> nearness = {};
};

/// The whole content of a buffer at the start of a launch.
run::Buffer content_of(const TimedProgram& program, std::size_t content, std::size_t buffer);

class TimedMemory {
 public:
  /// Copies inputs to the device, allocates memory and waits until it has full speed. `session` and
  /// `programs` must outlive this.
  TimedMemory(Session& session, const std::vector<TimedProgram>& programs);

  /// Shifts the buffers by `pages`, at most kMostPages.
  void move(std::uint64_t pages);
  static constexpr std::uint64_t kMostPages = 8;
  /// The program's buffers with that content; valid until the next call of these functions.
  DeviceBuffers filled(std::size_t program, std::size_t content) const;
  /// Memory for our own kernels after a launch, aligned to a page.
  DevicePointer scratch() const { return memory_->address() + bytes_ - kScratch; }
  static constexpr std::uint64_t kScratch = std::uint64_t{2} << 20;
  /// Overwrites everything that a launch could have written, except the copies.
  void wipe() const;

 private:
  Session& session_;
  const std::vector<TimedProgram>& programs_;
  struct Source {
    std::unique_ptr<Allocation> copy;  ///< For inputs that do not repeat.
    std::vector<std::byte> period;     ///< For all other buffers.
  };
  std::vector<std::vector<Source>> sources_;  ///< By program and buffer.
  /// The size of the memory: the largest program, the shift before it and the scratch after it.
  std::uint64_t bytes_ = 0;
  std::uint64_t begin_ = 0;  ///< Offset of the first buffer.
  std::unique_ptr<Allocation> memory_;
};

}  // namespace warpgrade::gpu
