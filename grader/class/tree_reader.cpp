// SPDX-License-Identifier: Apache-2.0
#include "grader/class/tree_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/archive_reader.h"
#include "grader/class/found_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000;  // of one student's folder
constexpr auto kDeepestFolder = 16;
constexpr int kDeepestExport = 3;  // archives around an export
constexpr std::uint64_t kMostExportBytes = std::uint64_t{16} << 30;

// Whether a platform's or a teacher's list is beside the work: gradebooks and rosters.
bool is_list(std::string_view name) { return name.ends_with(".csv"); }

class TreeReader {
 public:
  explicit TreeReader(const TreeOptions& options) : options_(options) {
    std::error_code ignored;
    book_ = options.book.empty() ? fs::path() : fs::weakly_canonical(options.book, ignored);
  }
  FoundTree read(const fs::path& submissions);

 private:
  void read_exports(const fs::path& submissions);
  void read_students(const fs::path& folder, const std::string& inside);
  void walk(const fs::path& folder, const std::string& inside, std::size_t& count);
  void add_archive(FoundFile whole, const std::string& shown, int depth);
  bool is_of_book(const fs::path& path) const;

  const TreeOptions& options_;
  fs::path book_;
  FoundTree out_;
};

// BOOK itself, "BOOK-wal", "BOOK.lock", "BOOK.problems.txt", the folder "BOOK.spool".
bool TreeReader::is_of_book(const fs::path& path) const {
  if (book_.empty()) return false;
  const auto name = path.filename().string();
  const auto own = book_.filename().string();
  if (!name.starts_with(own)) return false;
  const auto rest = std::string_view(name).substr(own.size());
  if (!rest.empty() && rest.front() != '-' && rest.front() != '.') return false;
  std::error_code ignored;
  return fs::weakly_canonical(path.parent_path(), ignored) == book_.parent_path();
}

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
      if (!library_folder(name + "/").empty()) {
        FoundFile library;
        library.path = name + "/";
        library.time.reset();
        out_.files.push_back(std::move(library));
        continue;
      }
      if (std::ranges::count(name, '/') > kDeepestFolder) {
        refuse(name + "/", "its folders are too deep");
        continue;
      }
      walk(path, name + "/", count);
      continue;
    }
    if (is_of_book(path)) continue;
    if (++count > kMostFiles) {
      return refuse(inside,
                    fmt::format("it holds more than {} files: the rest was not read", kMostFiles));
    }
    out_.files.push_back(find_file(path, name));
  }
}

// Adds the files of an export. An export that holds one archive and nothing else is packed twice.
void TreeReader::add_archive(FoundFile whole, const std::string& shown, int depth) {
  whole.shown = shown;
  if (!whole.refused.empty()) {
    whole.unread = true;
    out_.files.push_back(std::move(whole));
    return;
  }
  if (depth == 1) out_.archives.push_back(whole.path);
  auto content = files_of(whole, ArchiveKind::kExport, options_);
  std::vector<FoundFile*> own;
  for (auto& file : content.files) {
    if (!is_by_the_way(file.path) && !is_list(file.path)) own.push_back(&file);
    if (whole.time && file.time && *file.time > *whole.time + 86400) {
      out_.problems.push_back({"", file.shown, "its time is later than the archive's own", false});
    }
  }
  if (!content.failure.empty()) {
    auto failed = whole;
    failed.refused = "the archive cannot be read: " + content.failure;
    failed.unread = true;
    out_.files.push_back(std::move(failed));
  }
  if (own.size() == 1 && depth < kDeepestExport && own[0]->refused.empty() &&
      is_archive_name(own[0]->path) && !options_.is_students(own[0]->path) &&
      own[0]->path.find('/') == std::string::npos) {
    auto inner = *own[0];
    const auto inner_shown = inner.shown;
    return add_archive(std::move(inner), inner_shown, depth + 1);
  }
  for (auto& file : content.files) {
    if (file.size > kMostArchivedBytes && is_archive_name(file.path) && file.refused.empty()) {
      file.refused = fmt::format("it is larger than {} MiB", kMostArchivedBytes >> 20);
    }
    out_.files.push_back(std::move(file));
  }
}

// A folder of all students: each of them may have kMostFiles.
void TreeReader::read_students(const fs::path& folder, const std::string& inside) {
  std::error_code ignored;
  for (const auto& each : fs::directory_iterator(folder)) {
    const auto name = inside + each.path().filename().string();
    if (each.is_directory(ignored)) {
      std::size_t count = 0;
      walk(each.path(), name + "/", count);
    } else {
      out_.files.push_back(find_file(each.path(), name));
    }
  }
}

FoundTree TreeReader::read(const fs::path& submissions) {
  std::error_code ignored;
  if (fs::is_regular_file(submissions, ignored)) {
    const auto name = submissions.filename().string();
    add_archive(find_file(fs::canonical(submissions), name, kMostExportBytes), shown_name_of(name),
                1);
  } else if (fs::is_directory(submissions, ignored)) {
    read_exports(submissions);
  } else {
    throw base::UsageError(
        fmt::format("{}: no such folder or archive", base::escape_controls(submissions.string())));
  }
  return std::move(out_);
}

void TreeReader::read_exports(const fs::path& submissions) {
  std::error_code ignored;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(submissions)) entries.push_back(entry.path());
  std::erase_if(entries, [&](const auto& path) { return is_of_book(path); });
  std::ranges::sort(entries);
  const bool has_folders = std::ranges::any_of(entries, [&](const auto& path) {
    return fs::is_directory(path, ignored) && path.filename() != "__MACOSX" &&
           !path.filename().string().starts_with(".");
  });
  for (const auto& path : entries) {
    const auto name = path.filename().string();
    const auto status = fs::symlink_status(path, ignored);
    if (fs::is_directory(status)) {
      if (name.starts_with(".") || name == "__MACOSX") continue;
      if (name == "submitted" || name.ends_with("-submissions")) {
        read_students(path, name + "/");
        continue;
      }
      out_.folders.insert(name);
      std::size_t count = 0;
      walk(path, name + "/", count);
    } else if (is_archive_name(name) && options_.is_students(name)) {
      // The export is unpacked already, and a student handed in an archive.
      out_.files.push_back(find_file(path, name));
    } else if (is_archive_name(name) && fs::is_regular_file(status) &&
               (options_.has_rule || !has_folders)) {
      add_archive(find_file(path, name, kMostExportBytes), shown_name_of(name), 1);
    } else if (!is_by_the_way(name) && !is_list(name)) {
      out_.files.push_back(find_file(path, name));
    }
  }
}

}  // namespace

FoundTree read_tree(const fs::path& submissions, const TreeOptions& options) {
  return TreeReader(options).read(submissions);
}

std::string archive_of(const FoundFile& file, const FoundTree& tree) {
  if (tree.archives.empty()) return {};
  return file.shown.substr(0, file.shown.find('/'));
}

// Teams keeps drafts beside the files that a student turned in: "Submitted files/NAME" and
// "Working files/NAME" of the library "Student Work".
std::vector<FoundFile> take_drafts(FoundTree& tree) {
  constexpr std::string_view kTurnedIn = "Submitted files/";
  constexpr std::string_view kDrafts = "Working files/";
  // The folder around `mark`, and the student's folder in it.
  const auto places_in = [&](const FoundFile& file,
                             std::string_view mark) -> std::optional<std::array<std::string, 2>> {
    const auto at = file.path.find(mark);
    if (at == std::string::npos || (at > 0 && file.path[at - 1] != '/')) return std::nullopt;
    const auto around = archive_of(file, tree) + "/" + file.path.substr(0, at);
    const auto begin = at + mark.size();
    return {{around, around + file.path.substr(begin, file.path.find('/', begin) - begin)}};
  };
  std::set<std::string> turned_in;
  for (const auto& file : tree.files) {
    const auto places = places_in(file, kTurnedIn);
    if (places) turned_in.insert(places->begin(), places->end());
  }
  std::vector<FoundFile> out;
  std::vector<FoundFile> kept;
  for (auto& file : tree.files) {
    const auto places = places_in(file, kDrafts);
    const bool is_draft = places && turned_in.contains(places->front());
    const bool is_spare = is_draft && turned_in.contains(places->back());
    if (is_draft && !is_spare && file.refused.empty()) {
      file.refused = "it is a draft in Teams, and the student turned nothing in";
      file.unread = true;
    }
    (is_spare ? out : kept).push_back(std::move(file));
  }
  tree.files = std::move(kept);
  return out;
}

ArchiveContent files_of(const FoundFile& archive, ArchiveKind kind, const TreeOptions& options) {
  const auto name = archive.path.substr(archive.path.rfind('/') + 1);
  const auto unpacked = unpacked_name(name);
  const bool is_packed = !unpacked.empty() && !ascii_lower(unpacked).ends_with(".tar");
  if (is_packed && kind == ArchiveKind::kStudent) kind = ArchiveKind::kPacked;
  auto out = read_archive(archive, kind, options.temporary, options.hints);
  if (kind == ArchiveKind::kPacked && out.files.size() == 1 && out.files[0].path == "data") {
    out.files[0].path = unpacked;
  }
  for (auto& file : out.files) file.shown = archive.shown + "/" + shown_name_of(file.path);
  return out;
}

}  // namespace warpgrade::grader::class_book
