// SPDX-License-Identifier: Apache-2.0
// A small launch with arguments that fit any kernel: a buffer for each possible pointer.
#pragma once

#include <vector>

#include "common/ptx/module.h"
#include "common/run/launch.h"

namespace warpgrade::fuzz {

/// Two blocks of 48 threads. Each of the first four 8-byte parameters points to a new buffer of 512
/// bytes; all other parameters are zeros.
run::Launch fitting_launch(const ptx::Function& kernel, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::fuzz
