// SPDX-License-Identifier: Apache-2.0
// The exact release of the CUDA compiler in a libnvrtc, for reports.
//
// NVRTC's own call returns only "13.0". The library contains the full number in the text that NVRTC
// writes at the head of all PTX: "Cuda compilation tools, release 13.0, V13.0.88". Reading it there
// runs no code of the library in this process.
#pragma once

#include <filesystem>
#include <string>

namespace warpgrade::compile {

/// "13.0.88" for the library at this path; empty if the file is unreadable or contains no number.
std::string toolkit_version(const std::filesystem::path& library);

}  // namespace warpgrade::compile
