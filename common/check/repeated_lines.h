// SPDX-License-Identifier: Apache-2.0
// Source lines that a thread may execute several times.
#pragma once

#include <cstdint>

#include "common/ptx/module.h"

namespace warpgrade::check {

/// Whether the line of `instruction` is in a loop, or the compiler unrolled one, which gives the
/// line several stores.
bool is_repeated(const ptx::Function& function, std::uint32_t instruction);

}  // namespace warpgrade::check
