// SPDX-License-Identifier: Apache-2.0
#include "common/compile/toolkit.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"

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

/// The folders of the running program.
static std::vector<fs::path> installed_toolkits() {
  std::error_code ignored;
  return toolkits_beside(fs::read_symlink("/proc/self/exe", ignored));
}

namespace {

// Folders of the CUDA 12 wheels with the headers for NVRTC and kernels.
constexpr std::array<const char*, 4> kWheelIncludes = {"cuda_runtime/include", "cuda_nvcc/include",
                                                       "cuda_cccl/include", "curand/include"};

struct ToolkitLimit {
  std::mutex mutex;
  std::uint32_t most = kNewestSeries;
  std::string why;
};

ToolkitLimit& toolkit_limit() {
  static ToolkitLimit limit;
  return limit;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

fs::path library_at(const fs::path& root, std::uint32_t series) {
  static constexpr std::array<const char*, 5> kFolders = {
      "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "cuda_nvrtc/lib"};
  for (const auto* folder : kFolders) {
    auto library = root / folder / fmt::format("libnvrtc.so.{}", series);
    if (is_file(library)) return library;
  }
  return {};
}

std::vector<fs::path> includes_at(const fs::path& root) {
  static constexpr std::array<const char*, 3> kFolders = {"include", "targets/x86_64-linux/include",
                                                          "targets/sbsa-linux/include"};
  constexpr const char* kHeader = "vector_types.h";
  for (const auto* folder : kFolders) {
    if (is_file(root / folder / kHeader)) return {root / folder, root / folder / "cccl"};
  }
  std::vector<fs::path> out;
  if (is_file(root / kWheelIncludes[0] / kHeader)) {
    for (const auto* folder : kWheelIncludes) out.push_back(root / folder);
  }
  return out;
}

// $CUDA_HOME and so on, and other installations in the usual places, newest first.
std::vector<std::string> toolkit_places() {
  if (const char* only = std::getenv("WARPGRADE_CUDA_HOME")) return {only};
  std::vector<std::string> places;
  for (const auto* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) places.emplace_back(value);
  }
  for (const auto& place : installed_toolkits()) places.push_back(place.string());
  places.emplace_back(WARPGRADE_CONFIGURED_CUDA_HOME);
  places.emplace_back("/usr/local/cuda");
  std::vector<std::string> neighbours;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
    if (entry.path().filename().string().starts_with("cuda-")) {
      neighbours.push_back(entry.path().string());
    }
  }
  std::sort(neighbours.rbegin(), neighbours.rend());
  places.insert(places.end(), neighbours.begin(), neighbours.end());
  return places;
}

}  // namespace

std::optional<Toolkit> toolkit_at(const fs::path& root, std::uint32_t most) {
  Toolkit found;
  found.include_folders = includes_at(root);
  for (found.series = most; found.series >= kOldestSeries; --found.series) {
    found.library = library_at(root, found.series);
    if (!found.library.empty()) break;
  }
  if (found.library.empty() || found.include_folders.empty()) return std::nullopt;
  return found;
}

void limit_toolkit(std::uint32_t most, const std::string& why) {
  auto& limit = toolkit_limit();
  const std::lock_guard lock(limit.mutex);
  limit.most = std::min(most, kNewestSeries);
  limit.why = why;
}

/// The command that installs the compiler of `series`.
static std::string how_to_install(std::uint32_t series) {
  if (base::is_called_by_wrapper()) {
    const auto* const chosen = series == kNewestSeries ? "" : "WARPGRADE_CUDA=12 ";
    return fmt::format("`{}{} list` installs them", chosen, base::program_call());
  }
  if (series == kNewestSeries) {
    return "`pip install warpgrade`, in the Python environment of this program, installs them";
  }
  return "`pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12 nvidia-cuda-cccl-cu12 "
         "nvidia-cuda-nvcc-cu12`, in the Python environment of this program, installs them";
}

Toolkit find_toolkit() {
  auto& limit = toolkit_limit();
  const std::lock_guard lock(limit.mutex);
  std::string searched;
  for (const auto& place : toolkit_places()) {
    if (place.empty()) continue;
    if (auto toolkit = toolkit_at(place, limit.most)) return *toolkit;
    searched += (searched.empty() ? "" : ", ") + place;
  }
  if (limit.most < kNewestSeries) {
    throw base::ToolError(fmt::format(
        "no suitable CUDA compiler found: {}, and libnvrtc.so.{} with its headers is missing in "
        "{}. {}; or set CUDA_HOME to a CUDA {} toolkit.",
        limit.why, limit.most, searched, how_to_install(limit.most), limit.most));
  }
  throw base::ToolError(fmt::format(
      "no CUDA compiler found: libnvrtc.so.{} or libnvrtc.so.{} with its headers is missing in {}. "
      "{}; or set CUDA_HOME to a toolkit from CUDA 12.4 to 13.",
      kNewestSeries, kOldestSeries, searched, how_to_install(kNewestSeries)));
}

namespace {

constexpr std::string_view kLead = "Cuda compilation tools, release ";

bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

// The segments of a library that hold its constants, a fifth of NVRTC's 109 MB. None if it has
// another format.
std::vector<std::string_view> constants_of(std::string_view bytes) {
  std::vector<std::string_view> out;
  Elf64_Ehdr head;
  if (bytes.size() < sizeof head || !bytes.starts_with(ELFMAG)) return out;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return out;
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    const auto at = head.e_phoff + i * sizeof segment;
    if (at > bytes.size() || bytes.size() - at < sizeof segment) break;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type != PT_LOAD || segment.p_flags != PF_R) continue;
    if (segment.p_offset < bytes.size()) {
      out.push_back(bytes.substr(segment.p_offset, segment.p_filesz));
    }
  }
  return out;
}

// "13.0.88" in "Cuda compilation tools, release 13.0, V13.0.88" somewhere in `bytes`.
std::string version_in(std::string_view bytes) {
  const auto* const found =
      static_cast<const char*>(::memmem(bytes.data(), bytes.size(), kLead.data(), kLead.size()));
  if (found == nullptr) return {};
  bytes.remove_prefix(static_cast<std::size_t>(found - bytes.data()) + kLead.size());
  while (!bytes.empty() && is_of_number(bytes.front())) bytes.remove_prefix(1);
  constexpr std::string_view kBetween = ", V";
  if (!bytes.starts_with(kBetween)) return {};
  bytes.remove_prefix(kBetween.size());
  std::size_t length = 0;
  while (length < bytes.size() && is_of_number(bytes[length])) ++length;
  return std::string(bytes.substr(0, length));
}

}  // namespace

std::string toolkit_version(const std::filesystem::path& library) {
  const int file = ::open(library.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status = {};
  std::string version;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      const std::string_view all(static_cast<const char*>(bytes), size);
      for (const auto constants : constants_of(all)) {
        if (version.empty()) version = version_in(constants);
      }
      if (version.empty()) version = version_in(all);
      ::munmap(bytes, size);
    }
  }
  ::close(file);
  return version;
}

}  // namespace warpgrade::compile
