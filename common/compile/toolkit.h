// SPDX-License-Identifier: Apache-2.0
// Finds a CUDA toolkit on this machine: libnvrtc and the headers.
//
// A toolkit is a folder with `include` and a `lib64` or `lib` that holds libnvrtc of a release
// series that this project knows: 13, or 12 from 12.4 on. NVIDIA's Python wheels of 13 unpack to a
// folder of the same shape, those of 12 to a folder a part (cuda_nvrtc, cuda_runtime, ...) in one
// that is taken for the toolkit. A driver loads no machine code of a newer series than its own, and
// 13 makes none for cards before compute capability 7.5: whoever uses a GPU says so first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade::compile {

struct Toolkit {
  std::uint32_t series = 0;                            ///< 12 or 13.
  std::filesystem::path library;                       ///< libnvrtc.so.13
  std::vector<std::filesystem::path> include_folders;  ///< CUDA's own headers, then CCCL's.
};

constexpr std::uint32_t kNewestSeries = 13;
constexpr std::uint32_t kOldestSeries = 12;

/// The toolkit under `root`, the newer one of two, or nothing where `root` holds no libnvrtc of a
/// series up to `most` or no headers.
std::optional<Toolkit> toolkit_at(const std::filesystem::path& root,
                                  std::uint32_t most = kNewestSeries);

/// From now on find_toolkit() takes none of a newer series than `most`, for the reason `why`, such
/// as "the driver of Tesla T4 loads CUDA 12.4's code at most".
void limit_toolkit(std::uint32_t most, const std::string& why);

/// The toolkit to use: $WARPGRADE_CUDA_HOME alone where it is set; else the first of $CUDA_HOME,
/// $CUDA_PATH, the one found when the build was configured, /usr/local/cuda and its neighbours.
/// Throws base::ToolError with the places searched, and why they will not do, where there is none.
Toolkit find_toolkit();

}  // namespace warpgrade::compile
