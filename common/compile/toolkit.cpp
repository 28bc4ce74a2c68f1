// SPDX-License-Identifier: Apache-2.0
#include "common/compile/toolkit.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "common/base/error.h"
#include "common/compile/installed_toolkits.h"

namespace warpgrade::compile {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibrary = "libnvrtc.so.13";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

std::optional<Toolkit> toolkit_at(const fs::path& root) {
  static constexpr std::array<const char*, 4> kLibraryFolders = {
      "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"};
  static constexpr std::array<const char*, 3> kIncludeFolders = {
      "include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"};
  Toolkit found;
  for (const auto* folder : kLibraryFolders) {
    if (found.library.empty() && is_file(root / folder / kLibrary)) {
      found.library = root / folder / kLibrary;
    }
  }
  for (const auto* folder : kIncludeFolders) {
    if (found.include_folders.empty() && is_file(root / folder / "vector_types.h")) {
      found.include_folders = {root / folder, root / folder / "cccl"};
    }
  }
  if (found.library.empty() || found.include_folders.empty()) return std::nullopt;
  return found;
}

Toolkit find_toolkit() {
  std::vector<std::string> places;
  if (const char* only = std::getenv("WARPGRADE_CUDA_HOME")) {
    places = {only};
  } else {
    for (const auto* variable : {"CUDA_HOME", "CUDA_PATH"}) {
      if (const char* value = std::getenv(variable)) places.emplace_back(value);
    }
    for (const auto& place : installed_toolkits()) places.push_back(place.string());
    places.emplace_back(WARPGRADE_CONFIGURED_CUDA_HOME);
    places.emplace_back("/usr/local/cuda");
  }
  std::string searched;
  for (const auto& place : places) {
    if (place.empty()) continue;
    if (auto toolkit = toolkit_at(place)) return *toolkit;
    searched += (searched.empty() ? "" : ", ") + place;
  }
  throw base::ToolError(fmt::format(
      "there is no CUDA compiler: no {} and its headers in {}. Run ./warpgrade, which installs "
      "them, or set CUDA_HOME to a CUDA 13 toolkit.",
      kLibrary, searched));
}

}  // namespace warpgrade::compile
