// SPDX-License-Identifier: Apache-2.0
#include "grader/class/found_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "grader/class/names.h"

namespace warpgrade::grader::class_book {

namespace fs = std::filesystem;

[[noreturn]] static void fail(const fs::path& folder, const char* what) {
  throw base::ToolError(fmt::format("{}: cannot {} a temporary file there: {}",
                                    base::escape_controls(folder.string()), what, strerror(errno)));
}

Scratch::Scratch(fs::path folder) : folder_(std::move(folder)) {
  auto name = (folder_ / "warpgrade-XXXXXX").string();
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(folder_, "make");
  unlink(name.c_str());
}

Scratch::~Scratch() { close(descriptor_); }

void Scratch::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(folder_, "write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
    size_ += static_cast<std::uint64_t>(count);
  }
}

std::string Scratch::read(std::uint64_t offset, std::uint64_t size) const {
  std::string out(size, '\0');
  std::size_t done = 0;
  while (done < out.size()) {
    const auto count =
        pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(folder_, "read");
    done += static_cast<std::size_t>(count);
  }
  return out;
}

std::uint64_t most_bytes(std::string_view path) {
  return is_archive_name(path) ? kMostArchivedBytes : std::uint64_t{compile::kMostSourceBytes};
}

bool can_be_work(std::string_view path) {
  if (path.ends_with('/')) return false;
  const auto name = ascii_lower(path.substr(path.rfind('/') + 1));
  // An exercise's name without a suffix may be work, too.
  return may_be_work(name) || is_header(name) || name.ends_with(".ipynb") ||
         name.find('.') == std::string::npos;
}

bool is_worth_reading(std::string_view path) {
  // Platforms keep students and times in files of these kinds.
  static constexpr std::array<std::string_view, 3> kOthers = {".txt", ".yml", ".timestamp"};
  const auto name = ascii_lower(path.substr(path.rfind('/') + 1));
  return can_be_work(path) || is_archive_name(name) ||
         std::ranges::any_of(kOthers, [&](auto suffix) { return name.ends_with(suffix); });
}

std::string_view library_folder(std::string_view path) {
  static constexpr std::array<std::string_view, 3> kLibraries = {"site-packages", "dist-packages",
                                                                 "node_modules"};
  for (std::size_t begin = 0, end = 0; (end = path.find('/', begin)) != path.npos;
       begin = end + 1) {
    const auto folder = path.substr(begin, end - begin);
    if (std::ranges::find(kLibraries, folder) != kLibraries.end()) return path.substr(0, end + 1);
  }
  return {};
}

namespace {

// Opens a regular file; `out` receives the reason if it cannot.
class RegularFile {
 public:
  RegularFile(const fs::path& path, FoundFile& out)
      : descriptor_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
    struct stat about {};
    if (descriptor_ < 0) {
      const bool is_link = errno == ELOOP;
      out.refused = is_link ? "it is a link" : std::string("it cannot be read: ") + strerror(errno);
      out.unread = !is_link && errno != ENXIO;
    } else if (fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode)) {
      out.refused = "it is not a file";
    }
    if (descriptor_ < 0) return;
    out.time = about.st_mtime;
    out.size = static_cast<std::uint64_t>(about.st_size);
  }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

FoundFile find_file(const fs::path& path, std::string name, std::optional<std::uint64_t> most) {
  FoundFile out;
  out.path = std::move(name);
  const RegularFile file(path, out);
  out.on_disk = path;
  if (!most && is_worth_reading(out.path)) most = most_bytes(out.path);
  if (out.refused.empty() && most && out.size > *most) {
    out.refused = fmt::format("it is larger than {} MiB", *most >> 20);
  }
  return out;
}

void load(FoundFile& file) {
  if (!file.refused.empty() || !file.bytes.empty()) return;
  if (file.scratch) {
    file.bytes = file.scratch->read(file.offset, file.size);
    return;
  }
  if (file.on_disk.empty()) return;
  const auto time = file.time;
  const auto size = file.size;
  const RegularFile opened(file.on_disk, file);
  file.time = time;
  std::array<char, 1 << 16> piece{};
  while (file.refused.empty()) {
    const auto count = read(opened.descriptor(), piece.data(), piece.size());
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || file.bytes.size() + static_cast<std::size_t>(count) > size) {
      file.refused = count < 0 ? std::string("it cannot be read: ") + strerror(errno)
                               : std::string("it grows while it is read");
      file.unread = true;
    } else {
      file.bytes.append(piece.data(), static_cast<std::size_t>(count));
    }
  }
  if (!file.refused.empty()) file.bytes.clear();
}

}  // namespace warpgrade::grader::class_book
