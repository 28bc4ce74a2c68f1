// SPDX-License-Identifier: Apache-2.0
// A small launch whose arguments fit any kernel: a buffer for each possible pointer.
#pragma once

#include <vector>

#include "common/ptx/module.h"
#include "common/run/launch.h"

namespace warpgrade::fuzz {

/// Two blocks of 48 threads. Each parameter of 8 bytes points to a new buffer of 512 bytes, up to
/// four of them; the others are zeros.
run::Launch fitting_launch(const ptx::Function& kernel, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::fuzz
