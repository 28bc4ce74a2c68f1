// SPDX-License-Identifier: Apache-2.0
// The memory of timed launches, and the fingerprints by which its contents are compared.
//
// All launches have their buffers in one shared allocation, so its address affects all alike.
// Before a launch every buffer is written, so no launch finds data of an earlier one. Expected
// contents must not be on the device while a kernel runs, and reading gigabytes back would be
// slow. Therefore our kernel computes fingerprints of 128 bits on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/gpu/session.h"
#include "common/run/launch.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {

// Our kernels for timed launches: one computes the fingerprint of a buffer, one overwrites shared
// memory.
//
// A fingerprint is 128 bits that distinguish two contents. After each timed launch, everything
// that its kernel may have written is compared with the expected contents. These must not be on
// the device while the kernel runs, and reading gigabytes back each time would be slow. Therefore
// our kernel computes a fingerprint on the device, and fingerprints are compared. A fingerprint is
// the sum over all 8-byte words of two mixes of (word, position, key). A word at another position
// contributes differently, and each measurement draws a new key, so a submission cannot construct
// a wrong content that matches. It does not protect against contents made with knowledge of the
// key.

struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Fingerprint&) const = default;
};

struct FingerprintKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

/// A random key from the operating system.
FingerprintKey random_key();

/// CUDA C++: fingerprint(sums, data, bytes, key_low, key_high) adds low and high to sums[0] and
/// sums[1]; a partial last word is padded with zeros. `data` is aligned to 8 bytes. Works with
/// every grid of blocks of whole warps.
extern const char* const kFingerprintSource;
constexpr const char* kFingerprintKernel = "fingerprint";

/// overwrite_shared(bytes), in the same source: each block overwrites its dynamic shared memory.
/// With the largest size per block and twice as many blocks as SMs, every SM runs at least one
/// block.
constexpr const char* kOverwriteSharedKernel = "overwrite_shared";

/// beyond(count, got, right, elements, bytes, ulps, difference), in the same source: adds to
/// `count` how many floats of 4 or 8 `bytes` differ by more than `difference` and are more than
/// `ulps` steps apart, as verify::ulps_between() counts them.
constexpr const char* kBeyondKernel = "beyond";

/// The compiled kernels for `architecture`, cached for the life of the program. Throws
/// base::ToolError if they do not compile, which means a broken compiler.
const compile::Program& fingerprint_program(const std::string& architecture);

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
