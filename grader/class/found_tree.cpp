// SPDX-License-Identifier: Apache-2.0
#include "grader/class/found_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "grader/class/archive_reader.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000;  // of one student's folder
constexpr auto kDeepestFolder = 16;
constexpr std::uint64_t kMostArchiveBytes = std::uint64_t{1} << 30;

// Reads a regular file of at most `most` bytes; no link is followed, and no pipe waited for.
FoundFile read_found(const fs::path& path, std::string name, std::uint64_t most) {
  FoundFile out;
  out.path = std::move(name);
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat about {};
  if (descriptor < 0) {
    const bool is_link = errno == ELOOP;
    out.refused = is_link ? "it is a link" : std::string("it cannot be read: ") + strerror(errno);
    out.unread = !is_link && errno != ENXIO;
    return out;
  }
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
    out.refused = "it is not a file";
  } else if (static_cast<std::uint64_t>(about.st_size) > most) {
    out.refused = fmt::format("it is larger than {} MiB", most >> 20);
  }
  out.time = about.st_mtime;
  std::array<char, 1 << 16> piece{};
  while (out.refused.empty()) {
    const auto count = read(descriptor, piece.data(), piece.size());
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || out.bytes.size() + static_cast<std::size_t>(count) > most) {
      out.refused = count < 0 ? std::string("it cannot be read: ") + strerror(errno)
                              : std::string("it grows while it is read");
      out.unread = true;
    } else {
      out.bytes.append(piece.data(), static_cast<std::size_t>(count));
    }
  }
  close(descriptor);
  return out;
}

class TreeReader {
 public:
  TreeReader(bool has_rule, const ArchiveHints& hints, const IsStudents& is_students)
      : has_rule_(has_rule), hints_(hints), is_students_(is_students) {}
  void read(const fs::path& submissions);
  FoundTree take() { return std::move(out_); }

 private:
  void walk(const fs::path& folder, const std::string& inside, std::size_t& count);
  void add_archive(const fs::path& path, const std::string& name);

  bool has_rule_;
  const ArchiveHints& hints_;
  const IsStudents& is_students_;
  FoundTree out_;
};

void TreeReader::walk(const fs::path& folder, const std::string& inside, std::size_t& count) {
  const auto refuse = [&](const std::string& name, const std::string& why) {
    FoundFile one;
    one.path = name;
    one.refused = why;
    one.unread = true;
    out_.files.push_back(std::move(one));
  };
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    entries.push_back(it->path());
    if (entries.size() > 10 * kMostFiles) break;
  }
  if (error) return refuse(inside, "the folder cannot be read: " + error.message());
  std::ranges::sort(entries);
  for (const auto& path : entries) {
    const auto name = inside + path.filename().string();
    std::error_code ignored;
    const auto status = fs::symlink_status(path, ignored);
    if (fs::is_directory(status)) {
      if (name.ends_with("/.git")) out_.repositories[inside.substr(0, inside.size() - 1)] = path;
      if (name.ends_with("/.git") || name.ends_with("/__MACOSX")) continue;
      if (std::ranges::count(name, '/') > kDeepestFolder) {
        refuse(name + "/", "its folders are too deep");
        continue;
      }
      walk(path, name + "/", count);
      continue;
    }
    if (++count > kMostFiles) {
      return refuse(inside,
                    fmt::format("it holds more than {} files: the rest was not read", kMostFiles));
    }
    const auto most =
        is_archive_name(name) ? kMostArchivedBytes : std::uint64_t{compile::kMostSourceBytes};
    out_.files.push_back(read_found(path, name, most));
  }
}

void TreeReader::add_archive(const fs::path& path, const std::string& name) {
  auto whole = read_found(path, name, kMostArchiveBytes);
  const auto shown = shown_name_of(name);
  whole.shown = shown;
  if (!whole.refused.empty()) {
    whole.unread = true;
    out_.files.push_back(std::move(whole));
    return;
  }
  std::string failure;
  auto files = files_of(whole, shown, hints_, failure);
  std::vector<std::string> paths;
  for (const auto& file : files) {
    if (!is_by_the_way(file.path)) paths.push_back(file.path);
    if (whole.time && file.time && *file.time > *whole.time + 86400) {
      out_.problems.push_back({"", file.shown, "its time is later than the archive's own", false});
    }
  }
  if (!failure.empty()) {
    whole.refused = "the archive cannot be read: " + failure;
    whole.unread = true;
    whole.bytes.clear();
    out_.files.push_back(std::move(whole));
  }
  out_.archives.push_back(name);
  for (auto& file : files) out_.files.push_back(std::move(file));
}

void TreeReader::read(const fs::path& submissions) {
  std::error_code ignored;
  if (fs::is_regular_file(submissions, ignored)) {
    add_archive(submissions, submissions.filename().string());
    return;
  }
  if (!fs::is_directory(submissions, ignored)) {
    throw base::UsageError(
        fmt::format("{}: no such folder or archive", base::escape_controls(submissions.string())));
  }
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(submissions)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  const bool has_folders = std::ranges::any_of(
      entries, [&](const auto& path) { return fs::is_directory(path, ignored); });
  for (const auto& path : entries) {
    const auto name = path.filename().string();
    const auto status = fs::symlink_status(path, ignored);
    std::size_t count = 0;
    if (fs::is_directory(status)) {
      if (name.starts_with(".") || name == "__MACOSX") continue;
      if (name == "submitted" || name.ends_with("-submissions")) {
        // A folder of all students: each of them may have that many files.
        for (const auto& each : fs::directory_iterator(path)) {
          count = 0;
          if (each.is_directory(ignored)) {
            walk(each.path(), name + "/" + each.path().filename().string() + "/", count);
          } else {
            out_.files.push_back(read_found(each.path(),
                                            name + "/" + each.path().filename().string(),
                                            compile::kMostSourceBytes));
          }
        }
        continue;
      }
      out_.folders.insert(name);
      walk(path, name + "/", count);
    } else if (is_archive_name(name) && is_students_(name)) {
      // The export is unpacked already, and a student handed in an archive.
      out_.files.push_back(read_found(path, name, kMostArchivedBytes));
    } else if (is_archive_name(name) && fs::is_regular_file(status) &&
               (has_rule_ || !has_folders)) {
      add_archive(path, name);
    } else if (!is_by_the_way(name) && !name.ends_with(".csv")) {
      out_.files.push_back(read_found(path, name, compile::kMostSourceBytes));
    }
  }
}

}  // namespace

FoundTree read_tree(const fs::path& submissions, bool has_rule, const ArchiveHints& hints,
                    const IsStudents& is_students) {
  TreeReader reader(has_rule, hints, is_students);
  reader.read(submissions);
  return reader.take();
}

std::vector<FoundFile> files_of(const FoundFile& archive, const std::string& shown,
                                const ArchiveHints& hints, std::string& failure) {
  auto content = read_archive(archive.bytes, hints);
  failure = content.failure;
  std::vector<FoundFile> out;
  for (auto& file : content.files) {
    FoundFile one;
    one.path = std::move(file.path);
    one.bytes = std::move(file.bytes);
    one.refused = std::move(file.refused);
    one.time = file.time;
    one.shown = shown + "/" + shown_name_of(one.path);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
