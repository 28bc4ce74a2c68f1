// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "common/base/text.h"
#include "grader/class/archive_reader.h"
#include "grader/class/found_tree.h"
#include "grader/class/gather_doubts.h"
#include "grader/class/git_time.h"
#include "grader/class/layout.h"
#include "grader/class/loose_names.h"
#include "grader/class/roster_match.h"
#include "grader/class/sorting.h"
#include "grader/text/composed.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestArchive = 3;  // archives in archives

class Gatherer {
 public:
  Gatherer(const course::Course& course, const Rules& rules)
      : course_(course), rules_(rules), selected_(select(course, rules.exercises)) {
    hints_.zone = rules.zone.name();
    if (!rules.roster) return;
    for (const auto& one : *rules.roster) {
      hints_.people.push_back(one.name);
      hints_.people.push_back(one.last_name + one.first_name);
    }
  }

  void find_files(const fs::path& submissions);
  void split();
  void sort();
  HandedIn take();

 private:
  void choose_layout();
  bool has_flat_files(const fs::path& submissions) const;
  std::optional<LayoutParts> parts_of(Layout layout, const std::string& path) const;
  void read_metadata();
  void give(FoundFile file);
  bool give_by_rule(const FoundFile& file);
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
  tree_ = read_tree(submissions, rules_.rule || rules_.layout, hints_, is_students);
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

std::optional<LayoutParts> Gatherer::parts_of(Layout layout, const std::string& path) const {
  return split_path(layout, layout == Layout::kGithub ? above_ + path : path, rules_.zone);
}

// Students and times of submissions, from the platform's own files.
void Gatherer::read_metadata() {
  for (const auto& file : tree_.files) {
    if (layout_ == Layout::kGradescope && file.path.ends_with("submission_metadata.yml")) {
      for (auto& one : gradescope_metadata(file.bytes)) groups_[one.group] = std::move(one);
    }
    const auto parts = parts_of(layout_, file.path);
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
    const auto parts = parts_of(layout_, folder + "/x");
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

bool Gatherer::give_by_rule(const FoundFile& file) {
  const auto parts = rules_.rule->match(file.path);
  if (!parts) return false;
  GivenFile given{file, base::escape_controls(parts->student), "", "", false, true, {}};
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

void Gatherer::give(FoundFile file) {
  const bool is_own = !rules_.rule && is_platforms_own(layout_, file.path);
  if (is_own || is_ignored(file.path)) {
    const auto* why = is_own ? "the platform's own file" : "`ignore` of class.toml";
    return account({std::move(file), "", "", "", false, true, {}}, FileState::kIgnored, why);
  }
  if (rules_.rule && give_by_rule(file)) return;
  const auto layout = rules_.rule ? Layout::kFolders : layout_;
  const bool is_exported = !file.shown.empty() && rules_.rule;
  const auto parts = is_exported ? std::nullopt : parts_of(layout, file.path);
  GivenFile given{std::move(file), "", "", "", false, true, {}};
  if (!parts) {
    const bool is_junk = is_by_the_way(given.file.path);
    const bool may_be = may_be_work(given.file.path) || is_archive_name(given.file.path) ||
                        !given.file.refused.empty();
    const auto why = !given.file.refused.empty() ? "refused: " + given.file.refused
                     : rules_.rule               ? "the rule of class.toml does not match its name"
                     : layout == Layout::kFolders
                         ? "not in any student's folder"
                         : fmt::format("its name has not the form of the layout {}",
                                       layout_names()[static_cast<std::size_t>(layout)]);
    account(given,
            is_junk  ? FileState::kIgnored
            : may_be ? FileState::kOpen
                     : FileState::kUnused,
            why);
    if (!is_junk && !may_be) add_problem("", out_.received.back().path, why, false);
    return;
  }
  if (given.file.shown.empty()) given.file.shown = shown_name_of(given.file.path);
  // The folder in which the platform numbers the students.
  auto place = fs::path(given.file.path.substr(0, given.file.path.size() - parts->rest.size()));
  if (place.filename().empty()) place = place.parent_path();
  given.file.path = parts->rest;
  given.file.late_mark = parts->late_mark;
  given.file.number = parts->number;
  given.group = parts->group;
  // Work that was typed into Blackboard's page is in its text file.
  given.is_companion = parts->is_companion &&
                       !(layout == Layout::kBlackboard && has_blackboard_text(given.file.bytes));
  if (layout == Layout::kCanvas) given.file.time.reset();  // Canvas stamps files when it exports.
  auto time = parts->time;
  std::vector<HandedIdentity> people;
  if (const auto known = groups_.find(parts->group); known != groups_.end()) {
    if (known->second.time) time = known->second.time;
    people = known->second.students;
  }
  if (time) given.file.time = time;
  given.is_stamped = !time;
  if (people.empty()) people.push_back(parts->identity);
  for (const auto& person : people) {
    auto own = given;
    const auto at = person.email.find('@');
    // A login of Blackboard may have a "_", which the file's name has between its parts, too.
    const bool says_login = layout == Layout::kBlackboard && !person.login.empty();
    const bool is_own_name = people.size() == 1 && person.email.empty() && !says_login;
    auto student = is_own_name               ? parts->student
                   : !person.login.empty()   ? person.login
                   : at != std::string::npos ? person.email.substr(0, at)
                                             : person.name;
    own.student = base::escape_controls(text::composed_text(student));
    if (!is_student_name(own.student)) {
      account(own, FileState::kOpen, "this is not a student's name");
      continue;
    }
    own.identity = person;
    own.identity.name = base::escape_controls(text::composed_text(person.name));
    namesakes_.add(own.student, place.parent_path().string(), person);
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

void Gatherer::split() {
  read_metadata();
  for (auto& file : tree_.files) give(std::move(file));
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
      if (const auto parts = parts_of(layout_, folder + "/x")) empty.push_back(parts->student);
    }
  }
  for (const auto& folder : empty) add_empty_student(folder, students_, out_);
  doubt_times(rules_, !tree_.archives.empty(), given_, out_);
}

void Gatherer::sort() {
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
}

HandedIn Gatherer::take() {
  out_.students.assign(students_.begin(), students_.end());
  std::ranges::stable_sort(out_.attempts, {}, [](const HandIn& one) {
    return std::tie(one.student, one.lab, one.exercise, one.submitted_at, one.number);
  });
  return std::move(out_);
}

}  // namespace

HandedIn gather(const course::Course& course, const Rules& rules, const fs::path& submissions) {
  Gatherer gatherer(course, rules);
  gatherer.find_files(submissions);
  gatherer.split();
  gatherer.sort();
  return gatherer.take();
}

}  // namespace warpgrade::grader::class_book
