// SPDX-License-Identifier: Apache-2.0
// Which CUDA toolkit makes code for this machine's GPU.
//
// A driver loads machine code of its own release series and of older ones. CUDA 13 makes code from
// compute capability 7.5 on, CUDA 12 from 5.0 on.
#pragma once

#include <cstdint>
#include <string>

#include "common/gpu/device_info.h"

namespace warpgrade::measure {

struct ToolkitChoice {
  std::uint32_t most = 0;  ///< The newest series that will do; 0: none does.
  std::string why;         ///< Empty where it is the newest there is.
};

ToolkitChoice toolkit_for(const gpu::DeviceInfo& info);

/// Lets the compiler be one that will do, see compile::limit_toolkit(). Throws base::ToolError
/// where none is here; the compiler is then any.
void choose_toolkit(const gpu::DeviceInfo& info);

}  // namespace warpgrade::measure
