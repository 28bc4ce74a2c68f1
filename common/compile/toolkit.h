// SPDX-License-Identifier: Apache-2.0
// Finds a CUDA toolkit on this machine: libnvrtc and the headers.
//
// A toolkit is a folder with `include` and a `lib64` or `lib` that contains libnvrtc of a supported
// release series: 13, or 12 from 12.4 on. NVIDIA's Python wheels of 13 unpack to a folder with the
// same layout, those of 12 to a folder per part (cuda_nvrtc, cuda_runtime, ...) in a common folder,
// which counts as the toolkit. A driver loads no machine code of a newer series than its own, and
// 13 does not support cards before compute capability 7.5, so code that uses a GPU sets the limit
// first.
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

/// The toolkit under `root`, the newer one of two; nullopt if `root` has no libnvrtc of a series up
/// to `most` or no headers.
std::optional<Toolkit> toolkit_at(const std::filesystem::path& root,
                                  std::uint32_t most = kNewestSeries);

/// Limits find_toolkit() to series up to `most` from now on, for the reason `why`, such as "the
/// driver of Tesla T4 loads CUDA 12.4's code at most".
void limit_toolkit(std::uint32_t most, const std::string& why);

/// The toolkit to use: only $WARPGRADE_CUDA_HOME if it is set; else the first of $CUDA_HOME,
/// $CUDA_PATH, the toolkit found when the build was configured, /usr/local/cuda and its neighbours.
/// Throws base::ToolError with the searched places and the reasons if no toolkit is suitable.
Toolkit find_toolkit();

}  // namespace warpgrade::compile
