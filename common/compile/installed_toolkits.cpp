// SPDX-License-Identifier: Apache-2.0
#include "common/compile/installed_toolkits.h"

#include <algorithm>

namespace warpgrade::compile {
namespace fs = std::filesystem;

std::vector<fs::path> toolkits_beside(const fs::path& program) {
  const auto prefix = program.parent_path().parent_path();
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto* library : {"lib", "lib64"}) {
    for (const auto& python : fs::directory_iterator(prefix / library, ignored)) {
      if (!python.path().filename().string().starts_with("python3")) continue;
      for (const auto* packages : {"site-packages", "dist-packages"}) {
        // Wheels of CUDA 13 share a folder; those of CUDA 12 have separate ones.
        for (const auto* folder : {"nvidia/cu13", "nvidia"}) {
          auto place = python.path() / packages / folder;
          if (fs::is_directory(place, ignored)) out.push_back(std::move(place));
        }
      }
    }
  }
  std::ranges::sort(out, std::greater<>());
  return out;
}

std::vector<fs::path> installed_toolkits() {
  std::error_code ignored;
  return toolkits_beside(fs::read_symlink("/proc/self/exe", ignored));
}

}  // namespace warpgrade::compile
