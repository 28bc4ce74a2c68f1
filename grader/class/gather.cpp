// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/archive_reader.h"
#include "grader/class/found_file.h"
#include "grader/class/hand_in.h"
#include "grader/class/identities.h"
#include "grader/class/layout.h"
#include "grader/class/levels.h"
#include "grader/class/names.h"
#include "grader/class/notebook.h"
#include "grader/class/repository.h"
#include "grader/class/rules.h"
#include "grader/class/timestamps.h"
#include "grader/class/tree_reader.h"
#include "grader/course/course.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {

// Text of a platform, safe to print.
static std::string shown_text(const std::string& text) {
  return base::escape_controls(visible_text(text));
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

namespace {

namespace fs = std::filesystem;

constexpr int kDeepestArchive = 3;                              // archives in archives
constexpr std::uint64_t kMostSource = std::uint64_t{16} << 20;  // of one hand-in, in memory

// Reads the submissions of a class, one hand-in after another.
class Gatherer {
 public:
  Gatherer(const course::Course& course, const Rules& rules, const fs::path& book)
      : course_(course),
        rules_(rules),
        selected_(select(course, rules.exercises)),
        roster_(rules.roster) {
    options_.hints.zone = rules.zone.name();
    for (const auto& one : rules.roster) {
      options_.hints.people.push_back(one.name);
      options_.hints.people.push_back(one.last_name + one.first_name);
    }
    options_.has_rule = rules.rule || rules.layout;
    options_.book = book;
    if (!book.empty()) options_.temporary = fs::absolute(book).parent_path();
    sources_ = std::make_shared<Scratch>(options_.temporary);
    for (const auto& group : rules.groups) roster_.add(group.name);
    for (const auto& lab : course.labs) {
      course_names_.insert(lab.id);
      for (const auto& exercise : lab.exercises) course_names_.insert(exercise.id);
    }
  }

  void find_files(const fs::path& submissions);
  void find_students();
  HandedIn sorted();

 private:
  using HandInKey = std::pair<std::string, std::string>;  // The student and the group.

  void choose_layout();
  bool has_flat_files(const fs::path& submissions) const;
  bool has_levels() const { return layout_ == Layout::kFolders || layout_ == Layout::kSubmitty; }
  void find_levels();
  std::string path_from_student(const FoundFile& file, std::string& doubt) const;
  std::optional<LayoutParts> parts_of(const std::string& path) const;
  void choose_splits();
  std::optional<LayoutParts> only_split(const std::vector<LayoutParts>& splits) const;
  void read_metadata();
  void place_file(FoundFile file);
  bool place_by_rule(const FoundFile& file);
  void place_for_students(FoundFile file, const LayoutParts& parts);
  void leave_unplaced(FoundFile file, const std::string& doubt = {});
  GivenFile with_facts(FoundFile file, const LayoutParts& parts) const;
  std::string student_key(const HandedIdentity& person, const LayoutParts& parts,
                          bool is_only) const;
  void open_archive(GivenFile archive, int depth, std::vector<GivenFile>& out);
  std::vector<FoundFile> files_in_hand_in(const HandInKey& key, std::vector<GivenFile> given);
  void sort_hand_in(const HandInKey& key, std::vector<FoundFile> files);
  void expect_students() const;
  void expect_one_level() const;
  std::string command_for_level(std::size_t level) const;
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
  RosterNames roster_;
  TreeOptions options_;
  std::set<std::string> course_names_;  // Names of labs and exercises.
  FoundTree tree_;
  std::map<std::string, StudentLevel> levels_;  // By the export's archive; "" for a folder.
  std::vector<GivenFile> given_;
  std::map<std::string, GroupMetadata> groups_;
  std::map<std::string, std::int64_t> commit_times_;  // By path in the tree.
  Layout layout_ = Layout::kFolders;
  std::string above_;             // SUBMISSIONS itself, if its name is a part of the layout.
  std::set<std::string> titles_;  // That all hand-ins of the export may have.
  HandedIn out_;
  std::shared_ptr<Scratch> sources_;  // The files of the attempts.
  std::set<std::string> students_;
  std::map<std::string, std::string> branches_;           // Branches with other work, by student.
  std::map<std::string, std::vector<std::string>> many_;  // Folders that may be students'.
  Namesakes namesakes_;
};

void Gatherer::find_files(const fs::path& submissions) {
  // In a flat export that is unpacked, students' archives are named like their other files.
  options_.is_students = [&](const std::string& name) {
    if (rules_.rule) return rules_.rule->match(name) && has_flat_files(submissions);
    const bool may_have_levels = !rules_.layout || *rules_.layout == Layout::kFolders;
    if (may_have_levels && roster_.has(archive_stem(name))) return true;
    return std::ranges::any_of(
        std::array{Layout::kCanvas, Layout::kMoodle, Layout::kBlackboard, Layout::kAutolab},
        [&](Layout layout) {
          const bool may_be = !rules_.layout || *rules_.layout == layout;
          return may_be && !splits_of(layout, name, rules_.zone).empty();
        });
  };
  tree_ = read_tree(submissions, options_);
  std::error_code ignored;
  out_.source = fs::weakly_canonical(submissions, ignored).string();
  out_.problems = tree_.problems;
  if (!rules_.rule) {
    for (auto& draft : take_drafts(tree_)) {
      account({std::move(draft)}, FileState::kIgnored, "a draft in Teams");
    }
  }
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

void Gatherer::find_levels() {
  std::map<std::string, std::vector<std::string>> paths;
  for (const auto& file : tree_.files) paths[archive_of(file, tree_)].push_back(file.path);
  for (const auto& [archive, own] : paths) {
    // Submitty's folders of students hold numbered attempts.
    const bool has_numbers = !rules_.level && layout_ == Layout::kSubmitty;
    levels_.try_emplace(archive, own, roster_, course_names_,
                        has_numbers ? level_above_numbers(own) : rules_.level);
  }
}

std::string Gatherer::path_from_student(const FoundFile& file, std::string& doubt) const {
  const auto level = levels_.find(archive_of(file, tree_));
  if (!has_levels() || level == levels_.end()) return file.path;
  auto place = level->second.place(file.path);
  doubt = std::move(place.doubt);
  const auto student = place.path.substr(0, place.path.find('/'));
  if (layout_ == Layout::kFolders && !level->second.is_certain() &&
      (is_like_an_assignment(student) || course_names_.contains(student))) {
    doubt = fmt::format(
        "`{}` is called as an assignment is, and not as a student; if it is a student, set "
        "`level = {}` of class.toml",
        base::escape_controls(student), level->second.level());
  }
  return place.path;
}

void Gatherer::choose_layout() {
  if (rules_.rule) {
    out_.layout = "rule";
    return;
  }
  if (!rules_.layout) {
    std::vector<std::string> paths;
    for (const auto& file : tree_.files) {
      const bool is_stamp =
          file.path.ends_with("timestamp.txt") || file.path.ends_with(".submit.timestamp");
      if (!is_by_the_way(file.path) || is_stamp) paths.push_back(file.path);
    }
    for (const auto& [folder, path] : tree_.repositories) paths.push_back(folder + "/.git/HEAD");
    layout_ = guess_layout(paths).layout;
  } else {
    layout_ = *rules_.layout;
  }
  if (has_levels()) find_levels();
  expect_students();
  const auto name = std::string(layout_names()[static_cast<std::size_t>(layout_)]);
  std::vector<std::string> paths;
  for (const auto& file : tree_.files) {
    std::string doubt;
    const bool counts = !is_by_the_way(file.path) && !is_platforms_own(layout_, file.path);
    if (counts) paths.push_back(path_from_student(file, doubt));
  }
  const auto fit = fit_layout(layout_, paths);
  out_.layout = rules_.layout ? name
                              : fmt::format(
                                    "{} (guessed: {} of {} files fit; `layout` of "
                                    "class.toml sets it)",
                                    name, fit.fitting, fit.all);
}

// The titles that all hand-ins can have: an export is of one assignment.
void Gatherer::choose_splits() {
  bool is_first = true;
  for (const auto& file : tree_.files) {
    const auto splits = splits_of(layout_, file.path, rules_.zone);
    if (splits.empty() || splits.back().title.empty() || is_mac_copy(file.path)) continue;
    std::set<std::string> titles;
    const auto receipt = groups_.find(splits.back().group);
    for (const auto& one : splits) {
      const bool is_known = receipt == groups_.end() || receipt->second.students.empty() ||
                            std::ranges::any_of(receipt->second.students, [&](const auto& person) {
                              return person.login == one.student;
                            });
      if (is_known) titles.insert(one.title);
    }
    if (is_first) {
      titles_ = std::move(titles);
    } else {
      std::erase_if(titles_, [&](const std::string& title) { return !titles.contains(title); });
    }
    is_first = false;
  }
}

// The split that is the only one possible, by the title of all hand-ins or by the roster.
std::optional<LayoutParts> Gatherer::only_split(const std::vector<LayoutParts>& splits) const {
  if (splits.size() == 1) return splits.front();
  const auto only = [&](const auto& fits) -> std::optional<LayoutParts> {
    const LayoutParts* found = nullptr;
    for (const auto& one : splits) {
      if (!fits(one)) continue;
      if (found != nullptr) return std::nullopt;
      found = &one;
    }
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  const auto is_titled = [&](const LayoutParts& one) { return titles_.contains(one.title); };
  const auto is_known = [&](const LayoutParts& one) { return roster_.has_exactly(one.student); };
  if (titles_.size() == 1 && layout_ == Layout::kBlackboard) {
    if (auto found = only(is_titled)) return found;
  }
  if (!titles_.empty() && layout_ == Layout::kBlackboard) {
    return only([&](const auto& one) { return is_titled(one) && is_known(one); });
  }
  auto found = only(is_known);
  if (found || layout_ != Layout::kGithub) return found;
  // A repository that is called after no student keeps its whole name.
  return std::ranges::any_of(splits, is_known) ? std::nullopt : std::optional(splits.front());
}

std::optional<LayoutParts> Gatherer::parts_of(const std::string& path) const {
  const auto splits =
      splits_of(layout_, layout_ == Layout::kGithub ? above_ + path : path, rules_.zone);
  if (splits.empty()) return std::nullopt;
  auto out = only_split(splits);
  const auto receipt = groups_.find(splits.front().group);
  if (!out && receipt != groups_.end() && !receipt->second.students.empty()) out = splits.back();
  if (out && layout_ == Layout::kFolders && !roster_.has_exactly(out->student)) {
    out->identity = identity_in(out->student);
  }
  return out;
}

// Students and times of submissions, from the platform's own files.
void Gatherer::read_metadata() {
  const auto text_of = [](FoundFile file) {
    load(file);
    return file.bytes;
  };
  for (const auto& file : tree_.files) {
    if (layout_ == Layout::kGradescope && file.path.ends_with("submission_metadata.yml")) {
      for (auto& one : gradescope_metadata(text_of(file))) groups_[one.group] = std::move(one);
    }
    std::string doubt;
    const auto path = path_from_student(file, doubt);
    const auto splits = splits_of(layout_, path, rules_.zone);
    if (splits.empty() || !splits.front().is_companion) continue;
    const auto& parts = splits.front();
    if (layout_ == Layout::kBlackboard) {
      groups_[parts.group] = {parts.group, blackboard_students(text_of(file)), parts.time};
    }
    if (layout_ == Layout::kNbgrader || layout_ == Layout::kSubmitty) {
      const auto text = text_of(file);
      groups_[parts.group].time = parse_time(text.substr(0, text.find('\n')), rules_.zone);
    }
  }
  choose_splits();
  if (layout_ != Layout::kGithub) return;
  for (const auto& [folder, repository] : tree_.repositories) {
    const auto parts = parts_of(folder + "/x");
    if (!parts) continue;
    groups_[parts->group].time = commit_time(repository, "");
    const auto branches = other_branches(repository);
    if (!branches.empty()) branches_[parts->student] = branches;
    if (!groups_[parts->group].time && has_git()) {
      add_problem(parts->student, folder, "git cannot say when it was committed", false);
    }
    // Each file has the time of the last commit that changed it: a README may be changed later.
    for (const auto& file : tree_.files) {
      if (!file.path.starts_with(folder + "/") || !may_be_work(file.path)) continue;
      const auto time = commit_time(repository, file.path.substr(folder.size() + 1));
      if (time) commit_times_[file.path] = *time;
    }
  }
  if (!tree_.repositories.empty() && !has_git()) {
    add_problem(
        "", out_.source,
        "git is not installed, so the times of the commits are unknown and nobody counts as "
        "late; install it (apt-get install git) and run again",
        false);
  }
}

void Gatherer::account(const GivenFile& given, FileState state, const std::string& reason) {
  const auto shown = given.file.shown.empty() ? shown_name_of(given.file.path) : given.file.shown;
  const auto name =
      shown_name_of(std::string_view(given.file.path).substr(given.file.path.rfind('/') + 1));
  ReceivedFile one{given.student,   shown,           name, state, "", "", reason,
                   given.file.time, given.file.size, ""};
  one.may_be_work = state == FileState::kOpen;
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
  std::string digits;
  std::ranges::copy_if(parts->attempt, std::back_inserter(digits),
                       [](char c) { return c >= '0' && c <= '9'; });
  if (!digits.empty() && digits.size() < 19) given.file.attempt = std::stoll(digits);
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
  if (!rules_.rule && is_mac_copy(file.path) && file.path.starts_with("__MACOSX/")) {
    return account({std::move(file)}, FileState::kIgnored, "macOS put it there");
  }
  // Names in an exported archive have to match the rule if there is one.
  if (rules_.rule && !file.shown.empty()) return leave_unplaced(std::move(file));
  std::string doubt;
  const auto path = path_from_student(file, doubt);
  if (!doubt.empty()) return leave_unplaced(std::move(file), doubt);
  const auto parts = parts_of(path);
  if (parts) return place_for_students(std::move(file), *parts);
  std::string students;
  const auto splits = splits_of(layout_, path, rules_.zone);
  for (const auto& one : splits) {
    const bool may_be =
        layout_ != Layout::kBlackboard || titles_.empty() || titles_.contains(one.title);
    if (may_be) students += (students.empty() ? "`" : " or `") + one.student + "`";
  }
  if (splits.empty()) return leave_unplaced(std::move(file));
  if (splits.front().is_companion) {
    return account({std::move(file)}, FileState::kIgnored, "the platform's own file");
  }
  leave_unplaced(std::move(file),
                 "it may be work of " + base::escape_controls(students) +
                     ": set `name` of class.toml, a rule that finds the student in the name");
}

// Accounts for a file whose student is not known. It is open if it may be work.
void Gatherer::leave_unplaced(FoundFile file, const std::string& doubt) {
  const auto why = !file.refused.empty() ? "refused: " + file.refused
                   : !doubt.empty()      ? doubt
                   : rules_.rule         ? "the rule of class.toml does not match its name"
                   : has_levels()        ? "not in any student's folder"
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
  const auto committed = commit_times_.find(file.path);
  file.path = parts.rest;
  file.late_mark = parts.late_mark;
  file.number = parts.number;
  file.attempt = parts.attempt;
  if (layout_ == Layout::kCanvas) file.time.reset();  // Canvas stamps files when it exports.
  const auto known = groups_.find(parts.group);
  const bool is_known = known != groups_.end() && known->second.time;
  const auto time = is_known ? known->second.time : parts.time;
  if (time) file.time = time;
  if (committed != commit_times_.end()) file.time = committed->second;
  // Without git, a clone has the times of its files, which are those of the download.
  const bool is_clone = layout_ == Layout::kGithub && !tree_.repositories.empty();
  if (is_clone && !time) file.time.reset();
  GivenFile out{std::move(file)};
  out.group = parts.group;
  out.is_stamped = !time;
  out.is_companion = parts.is_companion;
  if (parts.is_companion && layout_ == Layout::kBlackboard) {
    // Work that was typed into Blackboard's page is in its text file.
    auto receipt = out.file;
    load(receipt);
    out.is_companion = !has_blackboard_text(receipt.bytes);
  }
  return out;
}

// The key of a student, who is the only one of the hand-in or one of several.
std::string Gatherer::student_key(const HandedIdentity& person, const LayoutParts& parts,
                                  bool is_only) const {
  // A login of Blackboard may have a "_", which the file's name has between its parts, too.
  const bool has_login = layout_ == Layout::kBlackboard && !person.login.empty();
  const bool is_address = layout_ == Layout::kAutolab;
  if (is_only && (person.email.empty() || is_address) && !has_login) return parts.student;
  if (!person.login.empty()) return person.login;
  const auto at = person.email.find('@');
  return at == std::string::npos ? person.name : person.email.substr(0, at);
}

// Adds the file for each student of its hand-in.
void Gatherer::place_for_students(FoundFile file, const LayoutParts& parts) {
  // Canvas gives each course a student for tests, whom no roster has.
  if (layout_ == Layout::kCanvas && squashed_text(parts.student).starts_with("studenttest") &&
      squashed_text(parts.student) == "studenttest" + squashed_text(parts.identity.number)) {
    return account({std::move(file)}, FileState::kIgnored, "Canvas's Test Student is nobody");
  }
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
  auto content = files_of(archive.file, ArchiveKind::kStudent, options_);
  const auto count = content.files.size() + content.unlisted;
  if (!content.failure.empty()) {
    account(archive, FileState::kOpen, "the archive cannot be read: " + content.failure);
  } else if (content.files.empty()) {
    account(archive, FileState::kOpen, "the archive holds no file");
  } else if (std::ranges::all_of(content.files, [](const FoundFile& one) {
               const bool is_work = may_be_work(one.path) && !is_mac_copy(one.path);
               return is_by_the_way(one.path) && !is_work;
             })) {
    account(archive, FileState::kOpen, "the archive holds no file of a student");
  } else {
    account(archive, FileState::kPart, fmt::format("unpacked: {} files", count));
  }
  if (content.unlisted > 0) {
    auto others = archive;
    others.file.shown += "/...";
    account(others, FileState::kUnused,
            fmt::format("{} more files, which are not work by their names", content.unlisted));
  }
  for (auto& file : content.files) {
    auto one = archive;
    file.path = archive.file.path + "/" + file.path;
    file.time = archive.file.time;
    file.number = archive.file.number;
    file.attempt = archive.file.attempt;
    file.late_mark = archive.file.late_mark;
    one.file = std::move(file);
    open_archive(std::move(one), depth + 1, out);
  }
}

// Gives each file its student.
void Gatherer::find_students() {
  read_metadata();
  std::set<std::string> filled;
  for (const auto& file : tree_.files) filled.insert(file.path.substr(0, file.path.find('/')));
  for (auto& file : tree_.files) place_file(std::move(file));
  tree_.files.clear();
  for (auto& one : given_) {
    one.student = namesakes_.key(one.student, one.identity);
    students_.insert(one.student);
    if (!rules_.rule) out_.identities[one.student] = one.identity;
  }
  std::vector<std::string> empty;
  if (layout_ == Layout::kFolders && tree_.archives.empty()) {
    std::ranges::copy_if(tree_.folders, std::back_inserter(empty),
                         [&](const std::string& folder) { return !filled.contains(folder); });
  }
  if (layout_ == Layout::kGithub && !rules_.rule) {
    for (const auto& [folder, repository] : tree_.repositories) {
      if (const auto parts = parts_of(folder + "/x")) empty.push_back(parts->student);
    }
  }
  for (const auto& folder : empty) add_empty_student(folder, students_, out_);
  // Moodle stamps entries with the time of the export; its grading worksheet has the right ones.
  out_.lacks_times = !rules_.rule && layout_ == Layout::kMoodle && rules_.has_submission_times();
  if (!out_.lacks_times) doubt_times(rules_, !tree_.archives.empty(), given_, out_);
}

// The files of one hand-in, with those of its archives and their bytes.
std::vector<FoundFile> Gatherer::files_in_hand_in(const HandInKey& /*key*/,
                                                  std::vector<GivenFile> given) {
  std::vector<GivenFile> files;
  for (auto& one : given) open_archive(std::move(one), 1, files);
  std::vector<FoundFile> out;
  std::uint64_t source = 0;
  for (auto& each : files) {
    if (!each.exercise.empty() && each.file.refused.empty()) {
      if (!named_exercise(selected_, each.exercise) && !named_exercise(course_, each.exercise)) {
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
                  "the platform marked it as late and does not say how late: no deduction", false);
    }
    const bool is_read = each.file.refused.empty() && can_be_work(each.file.path) &&
                         !is_by_the_way(each.file.path) && !is_archive_name(each.file.path);
    if (is_read && source + each.file.size > kMostSource) {
      each.file.refused = fmt::format("the files before it have {} MiB already", kMostSource >> 20);
    } else if (is_read) {
      source += each.file.size;
      load(each.file);
    }
    each.file.scratch.reset();
    out.push_back(std::move(each.file));
  }
  return out;
}

// The paths without the folders and archives that all of them are in.
static std::vector<std::string> without_common_folder(std::vector<std::string> paths) {
  std::erase_if(paths, [](const std::string& path) { return is_by_the_way(path); });
  while (!paths.empty()) {
    const auto cut = paths.front().find('/');
    const auto folder = paths.front().substr(0, cut == std::string::npos ? 0 : cut + 1);
    const bool is_common = !folder.empty() && std::ranges::all_of(paths, [&](const auto& path) {
      return path.starts_with(folder);
    });
    if (!is_common) break;
    for (auto& path : paths) path.erase(0, folder.size());
  }
  return paths;
}

void Gatherer::sort_hand_in(const HandInKey& key, std::vector<FoundFile> files) {
  if (layout_ == Layout::kFolders && !rules_.rule && !rules_.level) {
    std::vector<std::string> paths;
    for (const auto& file : files) paths.push_back(file.path);
    auto folders = folders_like_students(without_common_folder(std::move(paths)), course_names_);
    if (!folders.empty() && !roster_.has(key.first)) many_[key.first] = std::move(folders);
    // A person cannot match a folder of many to one student, so its work has no student.
    if (many_.contains(key.first) && !roster_.is_empty()) {
      students_.erase(key.first);
      for (auto& file : files) {
        leave_unplaced(std::move(file),
                       fmt::format("`{}` is no student of the roster, and folders in it may be "
                                   "students': {}",
                                   key.first, text::joined(many_[key.first])));
      }
      return;
    }
  }
  const auto first = out_.attempts.size();
  take_notebooks(course_, selected_, key.first, key.first + "/", files, out_);
  sort_files(course_, selected_, key.first, key.first + "/", std::move(files), out_);
  for (auto i = first; i < out_.attempts.size(); ++i) {
    auto& one = out_.attempts[i];
    one.path = key.second + "/" + one.path;
    put_aside(one, sources_);
    const auto branch = branches_.find(key.first);
    if (branch == branches_.end() || !one.is_skeleton) continue;
    ReceivedFile other;
    other.student = key.first;
    other.path = key.first + "/.git: " + branch->second;
    other.lab = one.lab;
    other.exercise = one.exercise;
    other.reason = "branches with commits that the one checked out does not have";
    other.may_be_work = true;
    add_problem(key.first, other.path, other.reason, true);
    out_.received.push_back(std::move(other));
  }
}

// The command that sets `level` of class.toml.
std::string Gatherer::command_for_level(std::size_t level) const {
  const auto file = base::escape_controls(rules_.files.empty() ? "class.toml" : rules_.files[0]);
  std::error_code ignored;
  return fs::exists(file, ignored) ? fmt::format("sed -i '1i level = {}' '{}'", level, file)
                                   : fmt::format("echo 'level = {}' > '{}'", level, file);
}

// Throws if an export without a roster has one student, or none, and it is not clear who that is.
void Gatherer::expect_students() const {
  if (layout_ != Layout::kFolders || rules_.rule) return;
  std::map<std::string, std::vector<std::string>> paths;
  for (const auto& file : tree_.files) paths[archive_of(file, tree_)].push_back(file.path);
  for (const auto& [archive, own] : paths) {
    const auto level = levels_.find(archive);
    if (level == levels_.end() || level->second.is_certain() || level->second.level() > 0) {
      continue;
    }
    const auto choices = doubtful_levels(own, course_names_);
    if (choices.empty()) continue;
    std::string text;
    for (const auto& one : choices) {
      const auto folder = base::escape_controls(one.folders.front());
      text += fmt::format("\n{} if `{}` is {}, {}", text.empty() ? "next:" : "     ", folder,
                          one.folders.size() == 1 ? "the student" : "one of the students",
                          command_for_level(one.level));
    }
    throw base::UsageError(fmt::format(
        "{}: it is not clear which folder is a student's, and no roster decides it{}\n      "
        "otherwise unpack archives of several students, and give each student a folder that is "
        "called after the student",
        base::escape_controls(out_.source), text));
  }
}

// Throws if folders that look like students hold folders that look like students, too.
void Gatherer::expect_one_level() const {
  if (many_.empty()) return;
  std::set<std::string> with_work;
  for (const auto& one : out_.received) {
    if (one.may_be_work) with_work.insert(one.student);
  }
  for (const auto& one : out_.attempts) with_work.insert(one.student);
  if (2 * many_.size() < with_work.size()) return;
  const auto& [folder, students] = *many_.begin();
  std::size_t level = 0;
  for (const auto& [archive, one] : levels_) level = one.level();
  throw base::UsageError(fmt::format(
      "{}: it is not clear which folders are the students': `{}` holds `{}`, `{}`{} with a file of "
      "the same name each\nnext: if these are students, {}  # unpack an archive first\n"
      "      if `{}` is a student, {}",
      base::escape_controls(out_.source), base::escape_controls(folder),
      base::escape_controls(students[0]), base::escape_controls(students[1]),
      students.size() > 2 ? " ..." : "", command_for_level(level + 1),
      base::escape_controls(folder), command_for_level(level)));
}

// Sorts the files of each hand-in into attempts, one hand-in after another.
HandedIn Gatherer::sorted() {
  std::map<HandInKey, std::vector<GivenFile>> hand_ins;
  for (auto& one : given_) {
    if (one.is_companion) {
      account(one, FileState::kIgnored, "the platform's own file");
      continue;
    }
    HandInKey key{one.student, one.group};
    hand_ins[std::move(key)].push_back(std::move(one));
  }
  given_.clear();
  for (auto& [key, given] : hand_ins) {
    sort_hand_in(key, files_in_hand_in(key, std::move(given)));
  }
  expect_one_level();
  out_.students.assign(students_.begin(), students_.end());
  settle_attempts(out_, rules_.policy == Policy::kBest);
  return std::move(out_);
}

}  // namespace

HandedIn gather(const course::Course& course, const Rules& rules, const fs::path& submissions,
                const fs::path& book) {
  Gatherer gatherer(course, rules, book);
  gatherer.find_files(submissions);
  gatherer.find_students();
  return gatherer.sorted();
}

}  // namespace warpgrade::grader::class_book
