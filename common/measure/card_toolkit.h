// SPDX-License-Identifier: Apache-2.0
// Chooses the CUDA toolkit that generates code for this machine's GPU.
//
// A driver loads machine code of its own release series and of older ones. CUDA 13 supports compute
// capability 7.5 and later, CUDA 12 supports 5.0 and later.
#pragma once

#include <cstdint>
#include <string>

#include "common/gpu/device_info.h"

namespace warpgrade::measure {

struct ToolkitChoice {
  std::uint32_t most = 0;  ///< The newest suitable series; 0: none.
  std::string why;         ///< The reason for an older series; empty otherwise.
};

ToolkitChoice toolkit_for(const gpu::DeviceInfo& info);

/// Restricts the compiler to suitable toolkits, see compile::limit_toolkit(). Throws
/// base::ToolError if none is installed; then any compiler remains allowed.
void choose_toolkit(const gpu::DeviceInfo& info);

}  // namespace warpgrade::measure
