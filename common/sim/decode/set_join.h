// SPDX-License-Identifier: Apache-2.0
// How set joins a comparison with a predicate: the decoder stores it in MicroOp::target, and
// exec/set.cpp reads it.
#pragma once

#include <cstdint>

namespace warpgrade::sim {

enum class Join : std::uint32_t { kNone, kAnd, kOr, kXor };

}  // namespace warpgrade::sim
