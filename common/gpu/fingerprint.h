// SPDX-License-Identifier: Apache-2.0
// Our kernels around a timed launch: one takes the fingerprint of a buffer, one overwrites what
// shared memory holds.
//
// A fingerprint is 128 bits that tell two contents apart.
//
// After each timed launch all that its kernel may have written is compared with what must be there,
// which must not lie on the device while the kernel runs. Reading gigabytes back each time would
// take long; so a kernel of ours takes the fingerprint there, and that is compared. The sum over
// all 8-byte words of two mixes of (word, position, key): a word in another place counts
// differently, and the key is drawn anew for each measurement, so no wrong content can be made to
// fit. Not for contents that somebody makes who knows the key.
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

/// A key from the system's source of randomness.
FingerprintKey random_key();

/// CUDA C++: fingerprint(sums, data, bytes, key_low, key_high) adds low and high to sums[0] and
/// sums[1]; what lacks to a whole word counts as zeros. `data` is aligned to 8 bytes. Right for
/// every grid of blocks of whole warps.
extern const char* const kFingerprintSource;
constexpr const char* kFingerprintKernel = "fingerprint";

/// overwrite_shared(bytes), in the same source: each block overwrites its dynamic shared memory.
/// With as much of it as a block can have and twice as many blocks as multiprocessors, each of
/// these gets one at least.
constexpr const char* kOverwriteSharedKernel = "overwrite_shared";

/// The compiled kernels for `architecture`, kept for the life of the program. Throws
/// base::ToolError where they do not compile, which only a broken compiler causes.
const compile::Program& fingerprint_program(const std::string& architecture);

}  // namespace warpgrade::gpu
