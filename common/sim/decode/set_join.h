// SPDX-License-Identifier: Apache-2.0
// How set joins a comparison with a predicate: what the decoder writes into MicroOp::target and
// exec/set.cpp reads.
#pragma once

#include <cstdint>

namespace warpgrade::sim {

enum class Join : std::uint32_t { kNone, kAnd, kOr, kXor };

}  // namespace warpgrade::sim
