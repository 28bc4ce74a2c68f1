// SPDX-License-Identifier: Apache-2.0
#include "grader/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::grader {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
  throw base::ToolError(fmt::format("{}: cannot be written: {}",
                                    base::escape_controls(file.string()), std::strerror(error)));
}

// 0, or the errno of the write that failed; closes `descriptor` either way.
int write_and_close(int descriptor, std::string_view content) {
  int error = 0;
  while (!content.empty() && error == 0) {
    const auto written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno != EINTR) error = errno;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  // Some file systems report a full disk only here.
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  struct stat status {};
  const bool exists = stat(file.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(file, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    const int device = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (device < 0) fail(file, errno);
    if (const int error = write_and_close(device, content)) fail(file, error);
    return;
  }
  auto pattern = file.string() + ".XXXXXX";
  const int descriptor = mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor < 0) fail(file, errno);
  // mkstemp makes a private file; the result has the rights of any new file, or the old one's.
  const auto mask = umask(0);
  umask(mask);
  const auto mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
  int error = fchmod(descriptor, mode) == 0 ? 0 : errno;
  if (const int write_error = write_and_close(descriptor, content); error == 0) error = write_error;
  if (error == 0 && rename(pattern.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(pattern.c_str());
    fail(file, error);
  }
}

std::filesystem::path cache_folder() {
  if (const auto* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return std::filesystem::path(cache) / "warpgrade";
  }
  const auto* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "." : home) / ".cache" / "warpgrade";
}

}  // namespace warpgrade::grader
