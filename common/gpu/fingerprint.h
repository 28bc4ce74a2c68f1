// SPDX-License-Identifier: Apache-2.0
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
#pragma once

#include <cstdint>
#include <string>

#include "common/compile/program.h"

namespace warpgrade::gpu {

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

}  // namespace warpgrade::gpu
