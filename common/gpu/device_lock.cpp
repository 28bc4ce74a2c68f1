// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/device_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "common/base/error.h"

namespace warpgrade::gpu {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(20);

// Without O_CREAT first, because Linux refuses to create over another user's file in /tmp.
int open_file(const std::string& path) {
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file >= 0 || errno != ENOENT) return file;
  constexpr mode_t kEverybody = 0666;
  file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kEverybody);
  if (file >= 0) static_cast<void>(fchmod(file, kEverybody));  // the umask may be narrower
  return file;
}

std::string lock_path(const std::filesystem::path& folder, const std::string& bus) {
  auto name = bus.empty() ? std::string("0") : bus;
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return (folder / fmt::format("warpgrade-gpu-{}.lock", name)).string();
}

}  // namespace

std::filesystem::path make_lock_file(const std::filesystem::path& folder, const std::string& bus) {
  auto path = lock_path(folder, bus);
  if (const int file = open_file(path); file >= 0) close(file);
  return path;
}

DeviceLock::DeviceLock(const std::filesystem::path& folder, const std::string& bus,
                       double patience) {
  const auto path = lock_path(folder, bus);
  file_ = open_file(path);
  if (file_ < 0) {
    throw base::ToolError(
        fmt::format("the lock of the GPU, {}, cannot be opened: {}", path, std::strerror(errno)));
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if ((errno == EWOULDBLOCK || errno == EINTR) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    const auto why = errno == EWOULDBLOCK
                         ? fmt::format("another grader has held it for {} s", patience)
                         : std::string(std::strerror(errno));
    close(file_);
    throw base::ToolError(
        fmt::format("the GPU cannot be had for a measurement: {} ({})", why, path));
  }
}

DeviceLock::~DeviceLock() { close(file_); }

std::filesystem::path lock_folder() { return P_tmpdir; }

}  // namespace warpgrade::gpu
