// SPDX-License-Identifier: Apache-2.0
// How set joins a comparison with a predicate: the decoder stores it in MicroOp::target, and the
// handlers of set read it.
#pragma once

#include <cstdint>

namespace warpgrade::sim {

// How set joins a comparison with a predicate: the decoder stores it in MicroOp::target, and
// exec/set.cpp reads it.

enum class Join : std::uint32_t { kNone, kAnd, kOr, kXor };

}  // namespace warpgrade::sim
