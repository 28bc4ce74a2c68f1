// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gather.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "grader/class/archive_reader.h"
#include "grader/class/sorting.h"
#include "grader/class/utc_time.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000;  // of one student's folder
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

class Gatherer {
 public:
  Gatherer(const Course& course, const ClassRules& rules) : course_(course), rules_(rules) {}

  HandedIn take() {
    out_.students.assign(students_.begin(), students_.end());
    std::ranges::stable_sort(out_.attempts, {}, [](const HandIn& one) {
      return std::tie(one.student, one.lab, one.exercise, one.submitted_at);
    });
    return std::move(out_);
  }

  void add_folders(const fs::path& root);
  void add_export(const fs::path& file);

 private:
  void add_student(const std::string& student, const fs::path& folder);
  void walk(const fs::path& folder, const std::string& inside, std::vector<FoundFile>& files,
            std::vector<FoundFile>& archives);
  // The files of an archive; a failure becomes a problem of `student`.
  std::vector<FoundFile> files_of(const std::string& bytes, const std::string& student,
                                  const std::string& shown);
  void add_exported(FoundFile file, const NameParts& parts, const std::string& source,
                    std::map<std::string, std::vector<FoundFile>>& by_student);
  void add_problem(const std::string& student, const std::string& file, const std::string& what,
                   bool unread) {
    out_.problems.push_back({student, file, what, unread});
  }

  const Course& course_;
  const ClassRules& rules_;
  HandedIn out_;
  std::set<std::string> students_;
};

void Gatherer::walk(const fs::path& folder, const std::string& inside,
                    std::vector<FoundFile>& files, std::vector<FoundFile>& archives) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (entries.size() + files.size() > kMostFiles) break;
    entries.push_back(it->path());
  }
  if (error) {
    FoundFile unread;
    unread.path = inside;
    unread.refused = "the folder cannot be read: " + error.message();
    unread.unread = true;
    files.push_back(std::move(unread));
    return;
  }
  std::ranges::sort(entries);
  for (const auto& path : entries) {
    if (files.size() >= kMostFiles) {
      FoundFile rest;
      rest.path = inside;
      rest.refused = fmt::format("it holds more than {} files: the rest was not read", kMostFiles);
      rest.unread = true;
      files.push_back(std::move(rest));
      return;
    }
    const auto name = inside + path.filename().string();
    std::error_code ignored;
    const auto status = fs::symlink_status(path, ignored);
    if (fs::is_directory(status)) {
      constexpr auto kDeepest = 4;
      if (is_by_the_way(name + "/") || name.ends_with(".git")) continue;
      if (std::ranges::count(name, '/') < kDeepest) walk(path, name + "/", files, archives);
    } else if (is_archive_name(name) && fs::is_regular_file(status)) {
      archives.push_back(read_found(path, name, kMostArchivedBytes));
    } else {
      files.push_back(read_found(path, name, compile::kMostSourceBytes));
    }
  }
}

std::vector<FoundFile> Gatherer::files_of(const std::string& bytes, const std::string& student,
                                          const std::string& shown) {
  auto content = read_archive(bytes);
  if (!content.failure.empty()) {
    add_problem(student, shown, "the archive cannot be read: " + content.failure, true);
  }
  std::vector<FoundFile> out;
  for (auto& file : content.files) {
    out.push_back(
        {std::move(file.path), std::move(file.bytes), std::move(file.refused), file.time, false});
  }
  return out;
}

void Gatherer::add_student(const std::string& student, const fs::path& folder) {
  if (!is_student_name(student)) {
    add_problem("", shown_name_of(student), "this is not a student's name", true);
    return;
  }
  students_.insert(student);
  std::vector<FoundFile> files;
  std::vector<FoundFile> archives;
  walk(folder, "", files, archives);
  sort_files(course_, student, student + "/", std::move(files), out_);
  for (auto& archive : archives) {
    const auto shown = student + "/" + shown_name_of(archive.path);
    if (!archive.refused.empty()) {
      add_problem(student, shown, "refused: " + archive.refused, archive.unread);
      continue;
    }
    sort_files(course_, student, shown + "/", files_of(archive.bytes, student, shown), out_);
  }
}

void Gatherer::add_folders(const fs::path& root) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(root)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  for (const auto& path : entries) {
    const auto name = path.filename().string();
    std::error_code ignored;
    const auto status = fs::symlink_status(path, ignored);
    if (fs::is_directory(status)) {
      if (!name.starts_with(".") && name != "__MACOSX") add_student(name, path);
    } else if (is_archive_name(name) && rules_.rule && fs::is_regular_file(status)) {
      add_export(path);
    } else if (is_archive_name(name)) {
      add_problem("", shown_name_of(name),
                  "an archive beside the students' folders, and class.toml has no `name` for it",
                  true);
    } else if (!is_by_the_way(name) && !name.ends_with(".csv")) {
      add_problem("", shown_name_of(name), "not in any student's folder", false);
    }
  }
}

void Gatherer::add_exported(FoundFile file, const NameParts& parts, const std::string& source,
                            std::map<std::string, std::vector<FoundFile>>& by_student) {
  const auto shown = source + shown_name_of(file.path);
  if (!is_student_name(parts.student)) {
    add_problem("", shown, "`student` of the rule is not a student's name here", true);
    return;
  }
  students_.insert(parts.student);
  if (!parts.time.empty()) {
    if (const auto time = parse_utc(parts.time)) {
      file.time = *time;
    } else {
      add_problem(parts.student, shown,
                  fmt::format("`time` of the rule, {}, is not a time: the archive's is taken",
                              base::escape_controls(parts.time)),
                  false);
    }
  }
  if (is_archive_name(file.path) && file.refused.empty()) {
    auto inner = files_of(file.bytes, parts.student, shown);
    for (auto& one : inner) {
      if (!parts.time.empty()) one.time = file.time;
    }
    sort_files(course_, parts.student, shown + "/", std::move(inner), out_);
    return;
  }
  // The rule's words stand for the path: sort_files() finds the exercise in them.
  if (!parts.exercise.empty() && file.refused.empty()) {
    file.path = (parts.lab.empty() ? "" : parts.lab + "/") + parts.exercise;
    if (!named_exercise(course_, file.path)) {
      add_problem(parts.student, shown,
                  fmt::format("there is no exercise `{}`", base::escape_controls(file.path)),
                  false);
      return;
    }
  }
  by_student[parts.student].push_back(std::move(file));
}

void Gatherer::add_export(const fs::path& path) {
  const auto name = shown_name_of(path.filename().string());
  const auto whole = read_found(path, name, kMostArchiveBytes);
  if (!whole.refused.empty()) {
    add_problem("", name, "refused: " + whole.refused, true);
    return;
  }
  std::map<std::string, std::vector<FoundFile>> by_student;
  for (auto& file : files_of(whole.bytes, "", name)) {
    if (is_by_the_way(file.path)) continue;
    const auto parts = rules_.rule->match(file.path);
    if (!parts) {
      const bool odd = !file.refused.empty();
      add_problem(
          "", name + "/" + shown_name_of(file.path),
          odd ? "refused: " + file.refused : "the rule of class.toml does not match its name",
          false);
      continue;
    }
    add_exported(std::move(file), *parts, name + "/", by_student);
  }
  for (auto& [student, files] : by_student) {
    sort_files(course_, student, name + "/", std::move(files), out_);
  }
}

}  // namespace

HandedIn gather(const Course& course, const ClassRules& rules, const fs::path& submissions) {
  std::error_code ignored;
  Gatherer gatherer(course, rules);
  if (fs::is_directory(submissions, ignored)) {
    gatherer.add_folders(submissions);
  } else if (fs::is_regular_file(submissions, ignored)) {
    if (!rules.rule) {
      throw base::UsageError(fmt::format(
          "{}: is an archive, and no class.toml beside it says how its files are named; write one "
          "with `name = '(?<student>...)_(?<exercise>...)\\.cu'`",
          base::escape_controls(submissions.string())));
    }
    gatherer.add_export(submissions);
  } else {
    throw base::UsageError(fmt::format("{}: there is no such folder or archive",
                                       base::escape_controls(submissions.string())));
  }
  return gatherer.take();
}

}  // namespace warpgrade::grader
