// SPDX-License-Identifier: Apache-2.0
// Finds a CUDA toolkit on this machine: libnvrtc, the headers, and the exact release.
//
// It searches the folders that environment variables name and NVIDIA's Python wheels installed
// together with the program. Then it searches the folder set at configuration, and /usr/local.
// The release is read in the library's text, without running its code in this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade::compile {

// Finds NVIDIA's compiler if it was installed together with the program.
//
// pip installs the program in PREFIX/bin and NVIDIA's wheels, its dependencies, in the folder of
// Python packages under the same PREFIX, or in PREFIX itself (`pip install --target PREFIX`). Such
// an installation can be moved as a whole and needs no CUDA toolkit of the system.

/// Folders under the prefix of `program` that may be a toolkit: those of the newest Python first,
/// of PREFIX itself last.
std::vector<std::filesystem::path> toolkits_beside(const std::filesystem::path& program);

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

// The exact release of the CUDA compiler in a libnvrtc, for reports.
//
// NVRTC's own call returns only "13.0". The library contains the full number in the text that NVRTC
// writes at the head of all PTX: "Cuda compilation tools, release 13.0, V13.0.88". Reading it there
// runs no code of the library in this process.

/// "13.0.88" for the library at this path; empty if the file is unreadable or contains no number.
std::string toolkit_version(const std::filesystem::path& library);

}  // namespace warpgrade::compile
