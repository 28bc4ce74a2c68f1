// SPDX-License-Identifier: Apache-2.0
#include "grader/text/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::grader::text {
namespace {

[[noreturn]] void fail_file(const std::filesystem::path& file, int error) {
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

// The standard stream that is open on the file described by `about`, or -1. Output to this file
// must follow earlier output, at the position of the stream.
int stream_on(const struct stat& about) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat other {};
    const bool is_same =
        fstat(stream, &other) == 0 && other.st_dev == about.st_dev && other.st_ino == about.st_ino;
    if (is_same && (fcntl(stream, F_GETFL) & O_ACCMODE) != O_RDONLY) return stream;
  }
  return -1;
}

// Follows symbolic links from `file`, even if their target does not exist.
std::filesystem::path behind_links(const std::filesystem::path& file) {
  constexpr int kMostLinks = 40;  // Linux's limit
  auto out = file;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(out)); ++links) {
    if (links == kMostLinks) fail_file(file, ELOOP);
    out = out.parent_path() / std::filesystem::read_symlink(out);
  }
  return out;
}

void write_beside(const std::filesystem::path& target, std::string_view content, mode_t mode,
                  const std::filesystem::path& shown) {
  // Not derived from the target's name, since a longer name could exceed the limit.
  auto pattern = (target.parent_path() / ".warpgrade-XXXXXX").string();
  const int descriptor = mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor < 0) fail_file(shown, errno);
  int error = fchmod(descriptor, mode) == 0 ? 0 : errno;
  if (const int write_error = write_and_close(descriptor, content); error == 0) error = write_error;
  if (error == 0 && rename(pattern.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(pattern.c_str());
    fail_file(shown, error);
  }
}

// "warpgrade" in the absolute folder that the variable `variable` contains, otherwise in
// `otherwise` of the home folder.
std::filesystem::path own_folder(const char* variable, const char* otherwise) {
  if (const auto* folder = std::getenv(variable); folder != nullptr && *folder == '/') {
    return std::filesystem::path(folder) / "warpgrade";
  }
  const auto* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "." : home) / otherwise / "warpgrade";
}

}  // namespace

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  struct stat about {};
  const bool exists = stat(file.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) fail_file(file, EISDIR);
  const int stream = exists ? stream_on(about) : -1;
  const bool is_replaceable = !exists || (S_ISREG(about.st_mode) && about.st_nlink != 0);
  if (stream >= 0 || !is_replaceable) {
    const int open_file =
        stream >= 0 ? fcntl(stream, F_DUPFD_CLOEXEC, 0) : open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (open_file < 0) fail_file(file, errno);
    if (const int error = write_and_close(open_file, content)) fail_file(file, error);
    return;
  }
  // mkstemp makes a private file. The result gets the old file's mode, or the mode of any new file.
  const auto mask = umask(0);
  umask(mask);
  const mode_t mode = exists ? about.st_mode & 07777 : 0666 & ~mask;
  try {
    write_beside(behind_links(file), content, mode, file);
  } catch (const std::filesystem::filesystem_error& error) {
    fail_file(file, error.code().value());
  }
}

void write_if_possible(const std::filesystem::path& file, std::string_view content) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  try {
    write_atomically(file, content);
  } catch (const base::ToolError&) {
  }
}

std::string read_file(const std::filesystem::path& file, const std::string& shown) {
  std::string out;
  std::array<char, 1 << 16> piece{};
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ssize_t count = descriptor;
  while (count >= 0) {
    count = read(descriptor, piece.data(), piece.size());
    if (count == 0) break;
    if (count < 0 && errno == EINTR) count = 0;
    if (count > 0) out.append(piece.data(), static_cast<std::size_t>(count));
  }
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (count == 0) return out;
  throw base::UsageError(
      fmt::format("{}: cannot be read: {}", base::escape_controls(shown), std::strerror(error)));
}

std::filesystem::path cache_folder() { return own_folder("XDG_CACHE_HOME", ".cache"); }

std::filesystem::path state_folder() { return own_folder("XDG_STATE_HOME", ".local/state"); }

}  // namespace warpgrade::grader::text
