// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gather.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"
#include "common/compile/compiler.h"
#include "grader/class/archive_reader.h"
#include "grader/class/hand_in.h"
#include "grader/class/identities.h"
#include "grader/class/layout.h"
#include "grader/class/names.h"
#include "grader/class/rules.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

// The time of the commit that a cloned repository has checked out, as git itself reads it. Students
// can set that time; the platform's page of the repository shows when it was pushed.

/// Seconds since 1970; nullopt if git is missing or the folder has no commit.
static std::optional<std::int64_t> commit_time(const std::filesystem::path& git_folder) {
  constexpr std::chrono::seconds kPatience{20};
  static const NameRule kCommitter(R"((?m)^committer .* (?<time>\d{1,12}) [+-]\d{4}$(?<student>))");
  try {
    // cat-file runs no program from the repository's configuration.
    const auto git = compile::run_child({"/usr/bin/git",
                                         {"--git-dir=" + git_folder.string(), "-c",
                                          "safe.directory=*", "cat-file", "commit", "HEAD"}},
                                        "", kPatience);
    const auto found = kCommitter.groups(git.output, {"time"});
    if (found) return std::stoll(found->front());
  } catch (const base::ToolError&) {
    // Git is not installed.
  }
  return std::nullopt;
}

namespace {

struct FoundTree {
  std::vector<FoundFile> files;       ///< Their paths begin in SUBMISSIONS, or in the archive.
  std::vector<std::string> archives;  ///< Exports whose files are among `files`.
  std::set<std::string> folders;      ///< The topmost ones.
  std::map<std::string, std::filesystem::path> repositories;  ///< ".git", by the folder around it.
  std::vector<HandInProblem> problems;
};

// The files of an archive. `failure` receives the reason if it could not be read to its end, and is
// otherwise empty.
std::vector<FoundFile> files_of(const FoundFile& archive, const std::string& shown,
                                const ArchiveHints& hints, std::string& failure) {
  auto content = read_archive(archive.bytes, hints);
  failure = content.failure;
  for (auto& file : content.files) file.shown = shown + "/" + shown_name_of(file.path);
  return std::move(content.files);
}

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

// Whether an archive is a student's by its name, and not an export.
using IsStudents = std::function<bool(const std::string& name)>;

// Reads the files of SUBMISSIONS into memory under their names there: files of a folder and its
// subfolders, and files of exported archives. It does not follow links and does not wait for pipes.
class TreeReader {
 public:
  TreeReader(bool has_rule, const ArchiveHints& hints, const IsStudents& is_students)
      : has_rule_(has_rule), hints_(hints), is_students_(is_students) {}
  /// Archives beside folders are exports if `has_rule`; without folders, they always are, unless a
  /// student handed them in. Throws base::UsageError if a folder or archive does not exist.
  FoundTree read(const fs::path& submissions);

 private:
  void read_exports(const fs::path& submissions);
  void read_students(const fs::path& folder, const std::string& inside);
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

// A folder of all students: each of them may have kMostFiles.
void TreeReader::read_students(const fs::path& folder, const std::string& inside) {
  std::error_code ignored;
  for (const auto& each : fs::directory_iterator(folder)) {
    const auto name = inside + each.path().filename().string();
    if (each.is_directory(ignored)) {
      std::size_t count = 0;
      walk(each.path(), name + "/", count);
    } else {
      out_.files.push_back(read_found(each.path(), name, compile::kMostSourceBytes));
    }
  }
}

FoundTree TreeReader::read(const fs::path& submissions) {
  std::error_code ignored;
  if (fs::is_regular_file(submissions, ignored)) {
    add_archive(submissions, submissions.filename().string());
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
  std::ranges::sort(entries);
  const bool has_folders = std::ranges::any_of(
      entries, [&](const auto& path) { return fs::is_directory(path, ignored); });
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

constexpr std::size_t kFewestEqual = 3;       // students; fewer may share one time by accident
constexpr std::size_t kFewestInOrder = 3;     // students; fewer may be in order by accident
constexpr std::int64_t kLongestWrite = 3600;  // seconds in which a platform writes an export

// The times of an archive's entries in their order, and the students of these entries.
struct Stamps {
  std::vector<std::int64_t> times;
  std::set<std::string> students;
};

bool has_own_time(const GivenFile& one) {
  const bool counts = may_be_work(one.file.path) || is_archive_name(one.file.path);
  return one.is_stamped && one.file.time && counts && !one.is_companion;
}

std::string archive_of(const GivenFile& one, bool has_archives) {
  if (!has_archives) return {};
  return one.file.shown.substr(0, one.file.shown.find('/'));
}

// Whether each of the times is after a deadline, and an export may have written them in this order.
bool is_export_in_order(const Stamps& stamps, bool has_archives, const Rules& rules) {
  const auto [first, last] = std::ranges::minmax(stamps.times);
  const auto is_before = [begin = first](const auto& deadline) { return deadline.second < begin; };
  // The order of files in a folder is not the one in which they were copied.
  const bool is_in_order = !has_archives || std::ranges::is_sorted(stamps.times);
  return stamps.students.size() >= kFewestInOrder && is_in_order && last - first <= kLongestWrite &&
         std::ranges::any_of(rules.deadlines, is_before);
}

}  // namespace

void doubt_times(const Rules& rules, bool has_archives, std::vector<GivenFile>& files,
                 HandedIn& out) {
  // In a folder, times matter only for a deadline. Copying gives all files one time, and is
  // otherwise harmless.
  if (!has_archives && rules.deadlines.empty()) return;
  std::set<std::int64_t> times;
  std::set<std::string> students;
  std::map<std::string, Stamps> archives;
  for (const auto& one : files) {
    if (!has_own_time(one)) continue;
    times.insert(*one.file.time);
    students.insert(one.student);
    archives[archive_of(one, has_archives)].times.push_back(*one.file.time);
    archives[archive_of(one, has_archives)].students.insert(one.student);
  }
  const auto fewest = has_archives ? kFewestEqual - 1 : kFewestEqual;
  if (times.size() == 1 && students.size() >= fewest) {
    out.problems.push_back(
        {"", out.source,
         "all files have the same time, so it is when they were exported or copied: the times of "
         "submission are unknown, and nobody counts as late",
         false});
    for (auto& one : files) {
      if (one.is_stamped) one.file.time.reset();
    }
    return;
  }
  for (const auto& [archive, stamps] : archives) {
    if (!is_export_in_order(stamps, has_archives, rules)) continue;
    const auto* when = has_archives ? "in the order of the archive, so they are when it was written"
                                    : "within an hour, so they are when the files were copied";
    out.problems.push_back({"", has_archives ? archive : out.source,
                            fmt::format("all times are after the deadline and {}: the times of "
                                        "submission are unknown, and nobody counts as late",
                                        when),
                            false});
    for (auto& one : files) {
      if (one.is_stamped && archive_of(one, has_archives) == archive) one.file.time.reset();
    }
  }
}

// Text of a platform, composed and safe to print.
static std::string shown_text(const std::string& text) {
  return base::escape_controls(composed_text(text));
}

/// Adds the student of a folder without files, unless the student has others.
static void add_empty_student(const std::string& folder, std::set<std::string>& students,
                              HandedIn& out) {
  const auto student = shown_text(folder);
  if (!is_student_name(student) || !students.insert(student).second) return;
  ReceivedFile none{student, student + "/", "", FileState::kUnused, "", "", "", {}, 0, ""};
  none.reason = "the folder is empty";
  out.received.push_back(std::move(none));
}

/// Warns if a student's folder looks like a folder of students.
static void expect_students_below(const std::set<std::string>& students, HandedIn& out) {
  constexpr std::size_t kMostStudents = 3;
  if (students.size() > kMostStudents) return;
  for (const auto& student : students) {
    std::map<std::string, std::set<std::string>> by_exercise;
    for (const auto& one : out.attempts) {
      const auto rest = one.source.substr(std::min(one.student.size() + 1, one.source.size()));
      if (one.student == student && rest.find('/') != std::string::npos) {
        by_exercise[one.exercise].insert(rest.substr(0, rest.find('/')));
      }
    }
    for (const auto& [exercise, folders] : by_exercise) {
      if (folders.size() < 2) continue;
      out.problems.push_back(
          {student, student + "/",
           fmt::format("{} folders in it have a file for {}: if each is a student's, name this "
                       "folder as SUBMISSIONS",
                       folders.size(), exercise),
           false});
      break;
    }
  }
}

namespace {

constexpr int kDeepestArchive = 3;  // archives in archives

class Gatherer {
 public:
  Gatherer(const course::Course& course, const Rules& rules)
      : course_(course), rules_(rules), selected_(select(course, rules.exercises)) {
    hints_.zone = rules.zone.name();
    for (const auto& one : rules.roster) {
      hints_.people.push_back(one.name);
      hints_.people.push_back(one.last_name + one.first_name);
    }
  }

  void find_files(const fs::path& submissions);
  void find_students();
  HandedIn sorted();

 private:
  void choose_layout();
  bool has_flat_files(const fs::path& submissions) const;
  std::optional<LayoutParts> parts_of(const std::string& path) const;
  void read_metadata();
  void place_file(FoundFile file);
  bool place_by_rule(const FoundFile& file);
  void place_for_students(FoundFile file, const LayoutParts& parts);
  void leave_unplaced(FoundFile file);
  GivenFile with_facts(FoundFile file, const LayoutParts& parts) const;
  std::string student_key(const HandedIdentity& person, const LayoutParts& parts,
                          bool is_only) const;
  void open_archive(GivenFile archive, int depth, std::vector<GivenFile>& out);
  bool is_ignored(const std::string& path) const {
    const auto name = std::string_view(path).substr(path.rfind('/') + 1);
    return std::ranges::any_of(rules_.ignored,
                               [&](const auto& one) { return fits_pattern(one, name); });
  }
  void account(const GivenFile& given, FileState state, const std::string& reason);
  void add_problem(const std::string& student, const std::string& file, const std::string& what,
                   bool unread) {
    out_.problems.push_back({student, file, what, unread});
  }

  const course::Course& course_;
  const Rules& rules_;
  std::vector<course::Selected> selected_;
  ArchiveHints hints_;
  FoundTree tree_;
  std::vector<GivenFile> given_;
  std::map<std::string, GroupMetadata> groups_;
  Layout layout_ = Layout::kFolders;
  std::string above_;  // SUBMISSIONS itself, if its name is a part of the layout.
  HandedIn out_;
  std::set<std::string> students_;
  Namesakes namesakes_;
};

void Gatherer::find_files(const fs::path& submissions) {
  // In a flat export that is unpacked, students' archives are named like their other files.
  const auto is_students = [&](const std::string& name) {
    if (rules_.rule) return rules_.rule->match(name) && has_flat_files(submissions);
    return std::ranges::any_of(std::array{Layout::kCanvas, Layout::kMoodle, Layout::kBlackboard},
                               [&](Layout layout) {
                                 const bool may_be = !rules_.layout || *rules_.layout == layout;
                                 return may_be && split_path(layout, name, rules_.zone).has_value();
                               });
  };
  tree_ = TreeReader(rules_.rule || rules_.layout, hints_, is_students).read(submissions);
  std::error_code ignored;
  out_.source = fs::weakly_canonical(submissions, ignored).string();
  out_.problems = tree_.problems;
  const auto own_name = fs::path(out_.source).filename().string();
  if (own_name.ends_with("-submissions")) above_ = own_name + "/";
  choose_layout();
}

// Whether files beside each other have names by the rule.
bool Gatherer::has_flat_files(const fs::path& submissions) const {
  std::error_code ignored;
  if (!fs::is_directory(submissions, ignored)) return false;
  const auto entries = fs::directory_iterator(submissions, ignored);
  return std::any_of(begin(entries), end(entries), [&](const fs::directory_entry& one) {
    const auto name = one.path().filename().string();
    return may_be_work(name) && one.is_regular_file() && rules_.rule->match(name);
  });
}

void Gatherer::choose_layout() {
  if (rules_.rule) {
    out_.layout = "rule";
    return;
  }
  if (rules_.layout) {
    layout_ = *rules_.layout;
    out_.layout = layout_names()[static_cast<std::size_t>(layout_)];
    return;
  }
  std::vector<std::string> paths;
  for (const auto& file : tree_.files) {
    if (!is_by_the_way(file.path) || file.path.ends_with("timestamp.txt")) {
      paths.push_back(file.path);
    }
  }
  for (const auto& [folder, path] : tree_.repositories) paths.push_back(folder + "/.git/HEAD");
  const auto guess = guess_layout(paths);
  layout_ = guess.layout;
  out_.layout =
      fmt::format("{} (guessed: {} of {} files fit; `layout` of class.toml sets it)",
                  layout_names()[static_cast<std::size_t>(layout_)], guess.fitting, guess.all);
}

std::optional<LayoutParts> Gatherer::parts_of(const std::string& path) const {
  return split_path(layout_, layout_ == Layout::kGithub ? above_ + path : path, rules_.zone);
}

// Students and times of submissions, from the platform's own files.
void Gatherer::read_metadata() {
  for (const auto& file : tree_.files) {
    if (layout_ == Layout::kGradescope && file.path.ends_with("submission_metadata.yml")) {
      for (auto& one : gradescope_metadata(file.bytes)) groups_[one.group] = std::move(one);
    }
    const auto parts = parts_of(file.path);
    if (!parts) continue;
    if (layout_ == Layout::kBlackboard && file.path.ends_with(parts->group + ".txt")) {
      groups_[parts->group] = {parts->group, blackboard_students(file.bytes), parts->time};
    }
    if (layout_ == Layout::kNbgrader && parts->is_companion) {
      auto text = file.bytes.substr(0, file.bytes.find('\n'));
      groups_[parts->group].time = parse_time(text, TimeZone());
    }
  }
  if (layout_ != Layout::kGithub) return;
  for (const auto& [folder, repository] : tree_.repositories) {
    const auto parts = parts_of(folder + "/x");
    if (!parts) continue;
    groups_[parts->group].time = commit_time(repository);
    if (!groups_[parts->group].time) {
      add_problem(parts->student, folder, "git cannot say when it was committed", false);
    }
  }
}

void Gatherer::account(const GivenFile& given, FileState state, const std::string& reason) {
  const auto shown = given.file.shown.empty() ? shown_name_of(given.file.path) : given.file.shown;
  const auto name =
      shown_name_of(std::string_view(given.file.path).substr(given.file.path.rfind('/') + 1));
  ReceivedFile one{given.student,           shown, name, state, "", "", reason, given.file.time,
                   given.file.bytes.size(), ""};
  // In a class with one exercise, a hand-in that cannot be read is for that one.
  if (state == FileState::kOpen && !given.group.empty() && selected_.size() == 1) {
    one.lab = selected_.front().lab->id;
    one.exercise = selected_.front().exercise->id;
  }
  out_.received.push_back(std::move(one));
  if (state == FileState::kOpen) add_problem(given.student, shown, reason, true);
}

bool Gatherer::place_by_rule(const FoundFile& file) {
  const auto parts = rules_.rule->match(file.path);
  if (!parts) return false;
  GivenFile given{file, base::escape_controls(parts->student)};
  if (!is_student_name(given.student)) {
    given.student.clear();
    account(given, FileState::kOpen, "`student` of the rule is not a student's name here");
    return true;
  }
  students_.insert(given.student);
  if (!parts->time.empty()) {
    const auto time = rules_.time_format.empty()
                          ? parse_time(parts->time, rules_.zone)
                          : parse_time(parts->time, rules_.time_format, rules_.zone);
    if (time) given.file.time = *time;
    given.is_stamped = !time;
    if (!time) {
      add_problem(given.student, shown_name_of(file.path),
                  fmt::format("`time` of the rule, {}, is not a time: the file's own is used",
                              base::escape_controls(parts->time)),
                  false);
    }
  }
  if (!parts->exercise.empty() && !is_archive_name(file.path)) {
    given.exercise = (parts->lab.empty() ? "" : parts->lab + "/") + parts->exercise;
  }
  given_.push_back(std::move(given));
  return true;
}

void Gatherer::place_file(FoundFile file) {
  const bool is_own = !rules_.rule && is_platforms_own(layout_, file.path);
  if (is_own || is_ignored(file.path)) {
    const auto* why = is_own ? "the platform's own file" : "`ignore` of class.toml";
    return account({std::move(file)}, FileState::kIgnored, why);
  }
  if (rules_.rule && place_by_rule(file)) return;
  // Names in an exported archive have to match the rule if there is one.
  const bool needs_rule = rules_.rule && !file.shown.empty();
  const auto parts = needs_rule ? std::nullopt : parts_of(file.path);
  if (parts) {
    place_for_students(std::move(file), *parts);
  } else {
    leave_unplaced(std::move(file));
  }
}

// Accounts for a file whose student is not known. It is open if it may be work.
void Gatherer::leave_unplaced(FoundFile file) {
  const auto why = !file.refused.empty() ? "refused: " + file.refused
                   : rules_.rule         ? "the rule of class.toml does not match its name"
                   : layout_ == Layout::kFolders
                       ? "not in any student's folder"
                       : fmt::format("its name has not the form of the layout {}",
                                     layout_names()[static_cast<std::size_t>(layout_)]);
  const bool may_be = may_be_work(file.path) || is_archive_name(file.path) || !file.refused.empty();
  const auto state = is_by_the_way(file.path) ? FileState::kIgnored
                     : may_be                 ? FileState::kOpen
                                              : FileState::kUnused;
  account({std::move(file)}, state, why);
  if (state == FileState::kUnused) add_problem("", out_.received.back().path, why, false);
}

// The file as a part of its hand-in, with the platform's facts.
GivenFile Gatherer::with_facts(FoundFile file, const LayoutParts& parts) const {
  if (file.shown.empty()) file.shown = shown_name_of(file.path);
  file.path = parts.rest;
  file.late_mark = parts.late_mark;
  file.number = parts.number;
  if (layout_ == Layout::kCanvas) file.time.reset();  // Canvas stamps files when it exports.
  const auto known = groups_.find(parts.group);
  const bool is_known = known != groups_.end() && known->second.time;
  const auto time = is_known ? known->second.time : parts.time;
  if (time) file.time = time;
  GivenFile out{std::move(file)};
  out.group = parts.group;
  out.is_stamped = !time;
  // Work that was typed into Blackboard's page is in its text file.
  out.is_companion = parts.is_companion &&
                     !(layout_ == Layout::kBlackboard && has_blackboard_text(out.file.bytes));
  return out;
}

// The key of a student, who is the only one of the hand-in or one of several.
std::string Gatherer::student_key(const HandedIdentity& person, const LayoutParts& parts,
                                  bool is_only) const {
  // A login of Blackboard may have a "_", which the file's name has between its parts, too.
  const bool has_login = layout_ == Layout::kBlackboard && !person.login.empty();
  if (is_only && person.email.empty() && !has_login) return parts.student;
  if (!person.login.empty()) return person.login;
  const auto at = person.email.find('@');
  return at == std::string::npos ? person.name : person.email.substr(0, at);
}

// Adds the file for each student of its hand-in.
void Gatherer::place_for_students(FoundFile file, const LayoutParts& parts) {
  // The folder in which the platform numbers the students.
  auto folder = fs::path(file.path.substr(0, file.path.size() - parts.rest.size()));
  if (folder.filename().empty()) folder = folder.parent_path();
  const auto place = folder.parent_path().string();
  std::vector<HandedIdentity> people;
  const auto known = groups_.find(parts.group);
  if (known != groups_.end()) people = known->second.students;
  if (people.empty()) people.push_back(parts.identity);
  const auto given = with_facts(std::move(file), parts);
  for (const auto& person : people) {
    auto own = given;
    own.student = shown_text(student_key(person, parts, people.size() == 1));
    if (!is_student_name(own.student)) {
      account(own, FileState::kOpen, "this is not a student's name");
      continue;
    }
    own.identity = person;
    own.identity.name = shown_text(person.name);
    namesakes_.add(own.student, place, person);
    given_.push_back(std::move(own));
  }
}

// The files of an archive of a student, with the archive's own time, and archives in it, too.
void Gatherer::open_archive(GivenFile archive, int depth, std::vector<GivenFile>& out) {
  const bool is_archive = is_archive_name(archive.file.path) && archive.file.refused.empty() &&
                          !is_by_the_way(archive.file.path);
  if (!is_archive) {
    out.push_back(std::move(archive));
    return;
  }
  if (depth > kDeepestArchive) {
    return account(archive, FileState::kOpen,
                   fmt::format("it is an archive in more than {} archives", kDeepestArchive));
  }
  std::string failure;
  auto files = files_of(archive.file, archive.file.shown, hints_, failure);
  if (!failure.empty()) {
    account(archive, FileState::kOpen, "the archive cannot be read: " + failure);
  } else if (files.empty()) {
    account(archive, FileState::kOpen, "the archive holds no file");
  } else if (std::ranges::all_of(files, [](const FoundFile& one) {
               const bool is_work = may_be_work(one.path) && !is_mac_copy(one.path);
               return is_by_the_way(one.path) && !is_work;
             })) {
    account(archive, FileState::kOpen, "the archive holds no file of a student");
  } else {
    account(archive, FileState::kPart, fmt::format("unpacked: {} files", files.size()));
  }
  for (auto& file : files) {
    auto one = archive;
    const auto path = archive.file.path + "/" + file.path;
    file.time = archive.file.time;
    file.number = archive.file.number;
    file.late_mark = archive.file.late_mark;
    one.file = std::move(file);
    one.file.path = path;
    open_archive(std::move(one), depth + 1, out);
  }
}

// Gives each file its student.
void Gatherer::find_students() {
  read_metadata();
  for (auto& file : tree_.files) place_file(std::move(file));
  for (auto& one : given_) {
    one.student = namesakes_.key(one.student, one.identity);
    students_.insert(one.student);
    if (!rules_.rule) out_.identities[one.student] = one.identity;
  }
  std::vector<std::string> empty;
  if (layout_ == Layout::kFolders && tree_.archives.empty()) {
    empty.assign(tree_.folders.begin(), tree_.folders.end());
  }
  if (layout_ == Layout::kGithub && !rules_.rule) {
    for (const auto& [folder, repository] : tree_.repositories) {
      if (const auto parts = parts_of(folder + "/x")) empty.push_back(parts->student);
    }
  }
  for (const auto& folder : empty) add_empty_student(folder, students_, out_);
  doubt_times(rules_, !tree_.archives.empty(), given_, out_);
}

// Sorts the files of each hand-in into attempts.
HandedIn Gatherer::sorted() {
  std::map<std::pair<std::string, std::string>, std::vector<FoundFile>> hand_ins;
  for (auto& one : given_) {
    if (one.is_companion) {
      account(one, FileState::kIgnored, "the platform's own file");
      continue;
    }
    std::vector<GivenFile> files;
    open_archive(std::move(one), 1, files);
    for (auto& each : files) {
      if (!each.exercise.empty() && each.file.refused.empty()) {
        if (!named_exercise(course_, each.exercise)) {
          account(each, FileState::kOpen,
                  fmt::format("unknown exercise `{}`", base::escape_controls(each.exercise)));
          continue;
        }
        each.file.shown = each.file.shown.empty() ? shown_name_of(each.file.path) : each.file.shown;
        each.file.path = each.exercise;
      }
      if (is_ignored(each.file.path)) {
        account(each, FileState::kIgnored, "`ignore` of class.toml");
        continue;
      }
      if (each.file.late_mark && !each.file.time) {
        add_problem(each.student, each.file.shown,
                    "the platform marked it as late and does not say how late: no deduction",
                    false);
      }
      hand_ins[{each.student, each.group}].push_back(std::move(each.file));
    }
  }
  for (auto& [key, files] : hand_ins) {
    sort_files(course_, selected_, key.first, key.first + "/", std::move(files), out_);
  }
  if (layout_ == Layout::kFolders && !rules_.rule) expect_students_below(students_, out_);
  out_.students.assign(students_.begin(), students_.end());
  sort_attempts(out_.attempts);
  return std::move(out_);
}

}  // namespace

HandedIn gather(const course::Course& course, const Rules& rules, const fs::path& submissions) {
  Gatherer gatherer(course, rules);
  gatherer.find_files(submissions);
  gatherer.find_students();
  return gatherer.sorted();
}

}  // namespace warpgrade::grader::class_book
