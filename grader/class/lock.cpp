// SPDX-License-Identifier: Apache-2.0
#include "grader/class/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::grader::class_book {

Lock::Lock(const std::filesystem::path& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  const auto shown = base::escape_controls(file.string());
  if (descriptor_ < 0) {
    throw base::ToolError(fmt::format("{}: cannot be written: {}", shown, std::strerror(errno)));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(descriptor_);
  if (error == EWOULDBLOCK) {
    throw base::UsageError(
        fmt::format("another `class run` works on this book now (it holds {})", shown));
  }
  throw base::ToolError(fmt::format("{}: cannot be locked: {}", shown, std::strerror(error)));
}

Lock::~Lock() { close(descriptor_); }

}  // namespace warpgrade::grader::class_book
