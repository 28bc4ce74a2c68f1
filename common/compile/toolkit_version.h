// SPDX-License-Identifier: Apache-2.0
// The exact release of the CUDA compiler that a libnvrtc is, for reports to name.
//
// NVRTC's own call says only "13.0". The full number stands in the library as the text that NVRTC
// writes at the head of all PTX: "Cuda compilation tools, release 13.0, V13.0.88". Reading it there
// runs nothing of the library in this process.
#pragma once

#include <filesystem>
#include <string>

namespace warpgrade::compile {

/// "13.0.88" of the library at this path; empty where the file cannot be read or holds no number.
std::string toolkit_version(const std::filesystem::path& library);

}  // namespace warpgrade::compile
