// SPDX-License-Identifier: Apache-2.0
// Finds attempts to take a lock after which the thread goes on whether or not it has the lock.
//
// An attempt is an exchange or a compare-and-swap with constants whose result is used:
//
//   for (int k = 0; k < 1000; ++k)
//     if (atomicCAS(lock, 0, 1) == 0) break;  // After 1,000 attempts, it enters all the same.
//   ...
//   atomicExch(lock, 0);
//
// The result decides whether the thread has the lock. An attempt is open if some way leads from it
// to the write that releases the lock, past every test of the result whose other way does not lead
// there. What one run shows does not count: without contention the first attempt succeeds. A test
// may look at a copy of the result, at a constant that a test has chosen, or at a value in the
// block's memory that may be one of these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/check/dependence.h"
#include "common/ptx/module.h"

namespace warpgrade::check {

/// By instruction: an attempt that is open, or another attempt to take the same lock.
std::vector<bool> open_attempts(const ptx::Function& function);
/// The first of them after which the thread may execute both instructions, neither of which
/// accesses the lock.
std::optional<std::uint32_t> open_attempt_before(const ptx::Function& function, std::uint32_t a,
                                                 std::uint32_t b);
/// Whether the thread may go on from `attempt` to one of `targets`, by instruction, whatever the
/// result is. A way ends at each of `ends`, by instruction.
bool goes_on(const ptx::Function& function, const Control& control, std::uint32_t attempt,
             const std::vector<bool>& targets, const std::vector<bool>& ends);

}  // namespace warpgrade::check
