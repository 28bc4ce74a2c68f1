// SPDX-License-Identifier: Apache-2.0
#include "common/compile/installed_toolkits.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

namespace warpgrade::compile {
namespace fs = std::filesystem;

namespace {

/// The folders in a folder of Python packages that may be a toolkit. Wheels of CUDA 13 share a
/// folder; those of CUDA 12 have separate ones.
std::vector<fs::path> toolkits_in(const fs::path& packages) {
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto* folder : {"nvidia/cu13", "nvidia"}) {
    auto place = packages / folder;
    if (fs::is_directory(place, ignored)) out.push_back(std::move(place));
  }
  return out;
}

}  // namespace

std::vector<fs::path> toolkits_beside(const fs::path& program) {
  const auto prefix = program.parent_path().parent_path();
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto* library : {"lib", "lib64"}) {
    for (const auto& python : fs::directory_iterator(prefix / library, ignored)) {
      if (!python.path().filename().string().starts_with("python3")) continue;
      for (const auto* packages : {"site-packages", "dist-packages"}) {
        std::ranges::move(toolkits_in(python.path() / packages), std::back_inserter(out));
      }
    }
  }
  std::ranges::sort(out, std::greater<>());
  std::ranges::move(toolkits_in(prefix), std::back_inserter(out));
  return out;
}

std::vector<fs::path> installed_toolkits() {
  std::error_code ignored;
  return toolkits_beside(fs::read_symlink("/proc/self/exe", ignored));
}

}  // namespace warpgrade::compile
