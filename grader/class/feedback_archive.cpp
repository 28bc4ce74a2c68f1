// SPDX-License-Identifier: Apache-2.0
#include "grader/class/feedback_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/exports.h"
#include "grader/class/gradebook.h"
#include "grader/class/names.h"
#include "grader/text/files.h"

// Debian's static libarchive draws random bytes, for encrypted zip files, from a function that
// glibc has since 2.36. With this one the wheel also runs with glibc 2.35 (Ubuntu 22.04, Colab).
extern "C" void arc4random_buf(void* buffer, std::size_t size) noexcept {
  auto* bytes = static_cast<std::byte*>(buffer);
  while (size > 0) {
    const auto count = ::getrandom(bytes, size, 0);
    if (count < 0 && errno != EINTR) std::abort();
    if (count <= 0) continue;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

// A folder beside the output, until the end of a block.
struct WorkFolder {
  explicit WorkFolder(fs::path folder) : path(std::move(folder)) {}
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

// How the platform begins the file names of each student. It is read from the files that they
// handed in: the one with the highest number, and otherwise one that counts.
std::map<std::string, std::string> prefixes_of_files(Sqlite& book, const NameRule& form) {
  std::map<std::string, std::string> out;
  std::map<std::string, std::string> numbers;
  const auto is_higher = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a > b;
  };
  Statement ask(
      book,
      "SELECT student, source, 0 AS rank FROM counted_attempt UNION ALL SELECT student, path, "
      "1 FROM received WHERE student <> '' AND name <> '' ORDER BY rank, source DESC");
  while (ask.step()) {
    const auto path = ask.text(1);
    // The path goes through archives: "submissions.zip/doejane_1_2_work.zip/copy.cu".
    for (std::size_t begin = 0; begin < path.size();) {
      const auto end = std::min(path.find('/', begin), path.size());
      if (const auto found = form.groups(path.substr(begin, end - begin), {"prefix", "number"})) {
        const auto& number = found->back();
        auto& highest = numbers[ask.text(0)];
        auto& prefix = out[ask.text(0)];
        if (prefix.empty() || is_higher(number, highest)) prefix = found->front() + "_";
        if (is_higher(number, highest)) highest = number;
        break;
      }
      begin = end + 1;
    }
  }
  return out;
}

// By the participants' numbers of Moodle's worksheet. The name before it is for people alone
// (moodle/moodle, mod/assign/feedback/file/importziplib.php).
std::map<std::string, std::string> prefixes_of_moodle(Sqlite& book) {
  std::map<std::string, std::string> out;
  const auto roster = roster_of(book);
  if (!roster || roster->kind != GradebookKind::kMoodle) return out;
  for (const auto& one : roster->students) {
    if (one.id.empty()) continue;
    auto name = one.name.empty() ? std::string("Participant") : one.name;
    std::ranges::replace_if(
        name, [](char c) { return c == '_' || c == '/'; }, ' ');
    out[one.student] = fmt::format("{}_{}_assignfeedback_file_/", name, one.id);
  }
  return out;
}

std::map<std::string, std::string> prefixes_on(Sqlite& book, std::string_view platform) {
  // Canvas wants the numbers of a student and of a file of the student's last attempt
  // (instructure/canvas-lms, app/models/assignment.rb, infer_comment_context_from_filename).
  static const NameRule kCanvas(R"(^(?<prefix>.+?_(?:LATE_)?\d+_(?<number>\d+))_.+$(?<student>))");
  static const NameRule kBlackboard(
      R"(^(?<prefix>.+_attempt_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)[_.].+$(?<number>)(?<student>))");
  if (platform == "moodle") return prefixes_of_moodle(book);
  return prefixes_of_files(book, platform == "canvas" ? kCanvas : kBlackboard);
}

class ZipWriter {
 public:
  explicit ZipWriter(const fs::path& file)
      : archive_(archive_write_new(), archive_write_free), shown_(file.string()) {
    check(archive_write_set_format_zip(archive_.get()));
    check(archive_write_set_options(archive_.get(), "hdrcharset=UTF-8"));
    check(archive_write_open_filename(archive_.get(), file.c_str()));
  }
  void add(const std::string& name, const std::string& bytes) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              archive_entry_free);
    archive_entry_update_pathname_utf8(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    check(archive_write_header(archive_.get(), entry.get()));
    const auto written = archive_write_data(archive_.get(), bytes.data(), bytes.size());
    if (written != static_cast<la_ssize_t>(bytes.size())) fail();
  }
  void close() { check(archive_write_close(archive_.get())); }

 private:
  void check(int result) {
    if (result < ARCHIVE_WARN) fail();
  }
  [[noreturn]] void fail() {
    const auto* why = archive_error_string(archive_.get());
    throw base::ToolError(fmt::format("{}: cannot be written: {}", base::escape_controls(shown_),
                                      why == nullptr ? "unknown error" : why));
  }

  std::unique_ptr<archive, decltype(&archive_write_free)> archive_;
  std::string shown_;
};

}  // namespace

FeedbackArchive write_feedback_archive(Sqlite& book, std::string_view platform,
                                       const fs::path& file) {
  const auto prefixes = prefixes_on(book, platform);
  if (prefixes.empty()) {
    throw base::UsageError(
        platform == "moodle"
            ? std::string(
                  "--format moodle: the participants' numbers are in the grading worksheet: "
                  "set it as `roster` of class.toml and run the class again")
            : fmt::format("--format {}: the names of the submissions are not those of {}; `class "
                          "feedback` without --format writes a folder per student",
                          platform, platform));
  }
  const WorkFolder work(file.string() + ".unfinished");
  write_feedback(book, work.path / "students");
  const auto unfinished = work.path / "feedback.zip";
  ZipWriter zip(unfinished);
  FeedbackArchive out;
  std::set<std::string> used;
  for (const auto& student : fs::directory_iterator(work.path / "students")) {
    const auto key = student.path().filename().string();
    const auto prefix = prefixes.find(key);
    // Members of a group have one name, and each has feedback of their own.
    if (prefix == prefixes.end() || !used.insert(prefix->second).second) {
      out.left_out.push_back(key);
      continue;
    }
    ++out.students;
    std::vector<fs::path> files;
    for (const auto& one : fs::directory_iterator(student.path())) files.push_back(one.path());
    std::ranges::sort(files);
    for (const auto& one : files) {
      // The overview links to pages by names that these platforms change; the text has all of it.
      // Canvas shows each file under the name of the student's own, so pages would be "copy.cu".
      const auto name = one.filename().string();
      if (platform != "moodle" && name == "index.html") continue;
      if (platform == "canvas" && name != "feedback.txt") continue;
      zip.add(prefix->second + name, text::read_file(one, one.string()));
    }
  }
  zip.close();
  std::ranges::sort(out.left_out);
  std::error_code error;
  fs::rename(unfinished, file, error);
  if (error) {
    throw base::ToolError(fmt::format("{}: cannot be written: {}",
                                      base::escape_controls(file.string()), error.message()));
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
