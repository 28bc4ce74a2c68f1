// SPDX-License-Identifier: Apache-2.0
// Finds the CUDA toolkit on this machine: libnvrtc and the headers.
//
// A toolkit is a folder with `include` and a `lib64` or `lib` that holds libnvrtc of the release
// series this project is built for (13). NVIDIA's Python wheels unpack to a folder of the same
// shape. Grades come out of the compiler's output, so another series is not taken silently.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace warpgrade::compile {

struct Toolkit {
  std::filesystem::path library;                       ///< libnvrtc.so.13
  std::vector<std::filesystem::path> include_folders;  ///< CUDA's own headers, then CCCL's.
};

/// The toolkit under `root`, or nothing where `root` holds no libnvrtc or no headers.
std::optional<Toolkit> toolkit_at(const std::filesystem::path& root);

/// The toolkit to use: $WARPGRADE_CUDA_HOME alone where it is set; else the first of $CUDA_HOME,
/// $CUDA_PATH, the one found when the build was configured, /usr/local/cuda. Throws
/// base::ToolError with the places searched where there is none.
Toolkit find_toolkit();

}  // namespace warpgrade::compile
