// SPDX-License-Identifier: Apache-2.0
// The functions below are bound by their assembler names: the C library's headers may redirect
// `open` or `fopen` to a 64-bit variant, and both variants must be intercepted.
#include "common/compile/include_guard.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "common/compile/directives.h"

namespace warpgrade::compile {
namespace {

constexpr off_t kMaxHeaderBytes = off_t{4} << 20;

std::optional<std::string> resolve(const char* path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path, nullptr), &std::free);
  return resolved ? std::optional<std::string>(resolved.get()) : std::nullopt;
}

bool is_under(const std::string& path, const std::string& folder) {
  if (folder.empty()) return false;
  return path == folder || path.starts_with(folder == "/" ? folder : folder + "/");
}

bool is_under_any(const std::string& path, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const auto& folder) { return is_under(path, folder); });
}

struct Guard {
  bool on = false;
  VisibleFiles files;
  HeaderFilter filter;
  LookupObserver observer;
};

Guard& guard() {
  static Guard instance;
  return instance;
}

std::optional<std::string> visible_file(const char* path) {
  auto file = guard().files.find(path);
  if (guard().observer) guard().observer(path, file);
  return file;
}

int not_there() {
  errno = ENOENT;
  return -1;
}

int raw_open(const char* path, int flags, mode_t mode) {
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

// The stat() result of the file that the compiler gets for `path`.
int guarded_stat(const char* path, struct stat* out, int flags) {
  const auto file = guard().on ? visible_file(path) : std::optional<std::string>(path);
  if (!file) return not_there();
  return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, file->c_str(), out, flags));
}

int guarded_access(const char* path, int mode) {
  const auto file = guard().on ? visible_file(path) : std::optional<std::string>(path);
  if (!file) return not_there();
  return static_cast<int>(::syscall(SYS_faccessat, AT_FDCWD, file->c_str(), mode));
}

// An anonymous file with the neutralised and filtered text of the regular file `file`, which the
// compiler requested as `path`; -1 if it is not a regular file.
int neutralised_copy(int file, const char* path) {
  struct stat about {};
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > kMaxHeaderBytes) {
    return not_there();
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto count = ::read(file, text.data() + filled, text.size() - filled);
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  text = guard().filter(path, neutralise_directives(std::string_view(text).substr(0, filled)));
  const int copy = ::memfd_create("header", MFD_CLOEXEC);
  if (copy < 0) return not_there();
  for (std::string_view rest = text; !rest.empty();) {
    const auto count = ::write(copy, rest.data(), rest.size());
    if (count <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  ::lseek(copy, 0, SEEK_SET);
  return copy;
}

int guarded_open(const char* path, int flags, mode_t mode) {
  if (!guard().on) return raw_open(path, flags, mode);
  const auto resolved = visible_file(path);
  if (!resolved || (flags & O_ACCMODE) != O_RDONLY) return not_there();
  if (guard().files.is_of_toolkit(*resolved)) return raw_open(resolved->c_str(), flags, mode);
  // Does not wait for a pipe, and does not follow a link created after the path was resolved.
  const int file = raw_open(resolved->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0);
  if (file < 0) return not_there();
  const int copy = neutralised_copy(file, path);
  ::close(file);
  return copy;
}

}  // namespace

VisibleFiles::VisibleFiles(const IncludeReach& reach) : course_(reach.course) {
  const auto add = [](std::vector<std::string>& to, const std::string& folder) {
    if (auto resolved = resolve(folder.c_str())) to.push_back(*resolved);
  };
  for (const auto& folder : reach.toolkit) add(toolkit_, folder);
  if (!reach.submission.empty()) add(others_, reach.submission);
  for (const auto& folder : reach.course) add(others_, folder);
}

// The course's replacement for a file above its folder: "FOLDER/x.h" for "FOLDER/../../x.h"; empty
// for any other path.
std::string VisibleFiles::from_above(std::string_view path) const {
  for (const auto& folder : course_) {
    if (!path.starts_with(folder + "/../")) continue;
    auto rest = path.substr(folder.size() + 1);
    while (rest.starts_with("../")) rest.remove_prefix(3);
    return folder + "/" + std::string(rest);
  }
  return {};
}

std::optional<std::string> VisibleFiles::find(const std::string& path) const {
  for (const auto& name : {path, from_above(path)}) {
    if (name.empty()) continue;
    auto resolved = resolve(name.c_str());
    if (!resolved) continue;
    if (is_of_toolkit(*resolved) || is_under_any(*resolved, others_)) return resolved;
  }
  return std::nullopt;
}

bool VisibleFiles::is_of_toolkit(const std::string& file) const {
  return is_under_any(file, toolkit_);
}

void turn_on_include_guard(const IncludeReach& reach, HeaderFilter filter,
                           LookupObserver observer) {
  guard().files = VisibleFiles(reach);
  guard().filter = std::move(filter);
  guard().observer = std::move(observer);
  guard().on = true;
}

void turn_off_include_guard() { guard().on = false; }

}  // namespace warpgrade::compile

#define WARPGRADE_REPLACES(name) __asm__(name) __attribute__((visibility("default"), used))

extern "C" {

int warpgrade_open(const char* path, int flags, ...) WARPGRADE_REPLACES("open");
int warpgrade_open64(const char* path, int flags, ...) WARPGRADE_REPLACES("open64");
FILE* warpgrade_fopen(const char* path, const char* mode) WARPGRADE_REPLACES("fopen");
FILE* warpgrade_fopen64(const char* path, const char* mode) WARPGRADE_REPLACES("fopen64");
int warpgrade_stat(const char* path, struct stat* out) WARPGRADE_REPLACES("stat");
int warpgrade_stat64(const char* path, struct stat* out) WARPGRADE_REPLACES("stat64");
int warpgrade_lstat(const char* path, struct stat* out) WARPGRADE_REPLACES("lstat");
int warpgrade_lstat64(const char* path, struct stat* out) WARPGRADE_REPLACES("lstat64");
int warpgrade_xstat(int, const char* path, struct stat* out) WARPGRADE_REPLACES("__xstat");
int warpgrade_xstat64(int, const char* path, struct stat* out) WARPGRADE_REPLACES("__xstat64");
int warpgrade_lxstat(int, const char* path, struct stat* out) WARPGRADE_REPLACES("__lxstat");
int warpgrade_lxstat64(int, const char* path, struct stat* out) WARPGRADE_REPLACES("__lxstat64");
int warpgrade_access(const char* path, int mode) WARPGRADE_REPLACES("access");
std::time_t warpgrade_time(std::time_t* out) WARPGRADE_REPLACES("time");
std::tm* warpgrade_localtime(const std::time_t* time) WARPGRADE_REPLACES("localtime");

int warpgrade_open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return warpgrade::compile::guarded_open(path, flags, mode);
}

int warpgrade_open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return warpgrade::compile::guarded_open(path, flags, mode);
}

FILE* warpgrade_fopen(const char* path, const char* mode) {
  // This process writes no files; the standard streams are already open.
  if (mode[0] != 'r' || std::string_view(mode).find('+') != std::string_view::npos) {
    errno = EACCES;
    return nullptr;
  }
  const int file = warpgrade::compile::guarded_open(path, O_RDONLY | O_CLOEXEC, 0);
  return file < 0 ? nullptr : ::fdopen(file, "r");
}

FILE* warpgrade_fopen64(const char* path, const char* mode) { return warpgrade_fopen(path, mode); }

int warpgrade_stat(const char* path, struct stat* out) {
  return warpgrade::compile::guarded_stat(path, out, 0);
}

int warpgrade_lstat(const char* path, struct stat* out) {
  return warpgrade::compile::guarded_stat(path, out, AT_SYMLINK_NOFOLLOW);
}

int warpgrade_stat64(const char* path, struct stat* out) { return warpgrade_stat(path, out); }
int warpgrade_lstat64(const char* path, struct stat* out) { return warpgrade_lstat(path, out); }
int warpgrade_xstat(int, const char* path, struct stat* out) { return warpgrade_stat(path, out); }
int warpgrade_xstat64(int, const char* path, struct stat* out) { return warpgrade_stat(path, out); }
int warpgrade_lxstat(int, const char* path, struct stat* out) { return warpgrade_lstat(path, out); }
int warpgrade_lxstat64(int, const char* path, struct stat* out) {
  return warpgrade_lstat(path, out);
}

int warpgrade_access(const char* path, int mode) {
  return warpgrade::compile::guarded_access(path, mode);
}

// The compiler's __TIME__ and __DATE__ are those of host_macros.txt, in each time zone.
std::time_t warpgrade_time(std::time_t* out) {
  constexpr std::time_t kFirstOfJanuary2025 = 1735689600;
  if (out != nullptr) *out = kFirstOfJanuary2025;
  return kFirstOfJanuary2025;
}

std::tm* warpgrade_localtime(const std::time_t* time) { return std::gmtime(time); }

}  // extern "C"
