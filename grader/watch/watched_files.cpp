// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/watched_files.h"

#include <fmt/format.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace warpgrade::grader::watch {
namespace {

namespace fs = std::filesystem;

bool is_header(const fs::path& file) {
  const auto ending = file.extension();
  return ending == ".cuh" || ending == ".h" || ending == ".hpp" || ending == ".inc";
}

// A text that changes with each save of the file; empty if it does not exist.
std::string mark_of(const fs::path& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return {};
  return fmt::format("{} {} {}.{}", found.st_ino, found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

}  // namespace

WatchedFiles::WatchedFiles() : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

WatchedFiles::~WatchedFiles() {
  if (descriptor_ >= 0) close(descriptor_);
}

void WatchedFiles::watch(const fs::path& file) {
  file_ = file;
  state_ = state_now();
  is_changed_ = true;
  if (descriptor_ < 0) return;
  if (folder_ >= 0) inotify_rm_watch(descriptor_, folder_);
  folder_ = inotify_add_watch(descriptor_, file.parent_path().c_str(),
                              IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
}

void WatchedFiles::drain() {
  std::array<char, 4096> events{};
  bool is_told = false;
  while (descriptor_ >= 0 && read(descriptor_, events.data(), events.size()) > 0) is_told = true;
  if (is_told) notice();
}

void WatchedFiles::look() {
  auto now = state_now();
  if (now == looked_at_) notice();
  looked_at_ = std::move(now);
}

WatchedFiles::State WatchedFiles::state_now() const {
  State out;
  out[file_.filename().string()] = mark_of(file_);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(file_.parent_path(), ignored)) {
    if (is_header(entry.path())) out[entry.path().filename().string()] = mark_of(entry.path());
  }
  return out;
}

void WatchedFiles::notice() {
  auto now = state_now();
  if (now == state_) return;
  state_ = std::move(now);
  is_changed_ = true;
}

bool WatchedFiles::changed() { return std::exchange(is_changed_, false); }

bool WatchedFiles::is_there() const {
  std::error_code ignored;
  return fs::is_regular_file(file_, ignored);
}

}  // namespace warpgrade::grader::watch
