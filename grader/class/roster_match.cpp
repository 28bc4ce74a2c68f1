// SPDX-License-Identifier: Apache-2.0
#include "grader/class/roster_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/gradebook.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"
#include "grader/text/files.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::class_book {
namespace {

bool equal(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && folded_text(a) == folded_text(b);
}

// "Doe, Jane" as "jane doe".
std::string folded_name(const std::string& name) {
  const auto comma = name.find(',');
  return folded_text(
      comma == std::string::npos ? name : name.substr(comma + 1) + " " + name.substr(0, comma));
}

// Whether two names cannot be one person's. A name with undecodable bytes, "M\xffll", proves
// nothing.
bool is_contradicted(const std::string& a, const std::string& b) {
  const bool is_known = !a.empty() && !b.empty() && b.find("\\x") == std::string::npos;
  return is_known && folded_name(a) != folded_name(b);
}

// Canvas names files by the sortable name without spaces and marks: "doejane_123".
bool is_canvas_name(const std::string& student, const Enrolled& one) {
  const auto name = squashed_text(one.last_name + one.first_name);
  return !name.empty() && name == squashed_text(student.substr(0, student.rfind('_')));
}

struct Match {
  const Enrolled* row = nullptr;
  std::vector<const Enrolled*> doubtful;  // Rows that the student may be.
};

class Matcher {
 public:
  Matcher(const std::vector<Enrolled>& roster, bool has_school_numbers)
      : roster_(roster), has_school_numbers_(has_school_numbers) {}

  Match match(const std::string& student, const HandedIdentity& given) const {
    const auto by = [&](auto fits) {
      std::vector<const Enrolled*> out;
      for (const auto& one : roster_) {
        if (fits(one)) out.push_back(&one);
      }
      return out;
    };
    const bool has_name = !given.name.empty();
    const auto keyed = by([&](const Enrolled& one) {
      // A key that is a name is compared with the names below.
      return one.student == student &&
             !(has_name && given.name == student && one.login.empty() && one.student == one.name);
    });
    if (keyed.size() == 1) return {keyed[0], {}};
    const auto exact = {
        by([&](const Enrolled& one) { return equal(one.login, given.login); }),
        by([&](const Enrolled& one) { return equal(one.email, given.email); }),
        by([&](const Enrolled& one) {
          const bool fits = equal(one.id, given.number) || equal(one.number, given.number);
          return fits && (has_school_numbers_ || !is_contradicted(one.name, given.name));
        }),
        by([&](const Enrolled& one) {
          return !has_name && (equal(one.login, student) || equal(one.number, student) ||
                               equal(one.email, student));
        }),
        by([&](const Enrolled& one) {
          const auto& login = given.login.empty() && !has_name ? student : given.login;
          return !login.empty() && equal(one.email.substr(0, one.email.find('@')), login);
        })};
    for (const auto& found : exact) {
      if (found.size() == 1) return {found.front(), {}};
    }
    const auto& name = has_name ? given.name : student;
    const auto named = by([&](const Enrolled& one) {
      const bool fits = folded_name(one.name) == folded_name(name) || is_canvas_name(student, one);
      return !name.empty() && fits;
    });
    if (named.size() != 1) return {nullptr, named};
    const bool differs = (!given.email.empty() && !named[0]->email.empty() &&
                          !equal(given.email, named[0]->email)) ||
                         (has_school_numbers_ && !given.number.empty() &&
                          !named[0]->number.empty() && !equal(given.number, named[0]->number));
    if (differs) return {nullptr, named};
    return {named[0], named};
  }

 private:
  const std::vector<Enrolled>& roster_;
  bool has_school_numbers_;
};

}  // namespace

void match_roster(HandedIn& handed_in, const std::vector<Enrolled>& roster,
                  const std::map<std::string, std::string>& decided) {
  const bool has_school_numbers =
      handed_in.layout.starts_with("gradescope") || handed_in.layout.starts_with("canvas");
  const Matcher matcher(roster, has_school_numbers);
  std::map<std::string, Match> matches;
  std::map<std::string, int> counts;  // Number of students with each row.
  std::set<std::string> sure;         // Rows that match by more than a name.
  for (const auto& [student, key] : decided) sure.insert(key);
  for (const auto& student : handed_in.students) {
    if (decided.contains(student)) continue;
    const auto known = handed_in.identities.find(student);
    auto match = matcher.match(
        student, known == handed_in.identities.end() ? HandedIdentity() : known->second);
    if (match.row != nullptr) ++counts[match.row->student];
    if (match.row != nullptr && match.doubtful.empty()) sure.insert(match.row->student);
    matches[student] = std::move(match);
  }
  std::map<std::string, std::string> keys = decided;
  for (auto& [student, match] : matches) {
    const bool is_shared = match.row != nullptr && !match.doubtful.empty() &&
                           (counts[match.row->student] > 1 || sure.contains(match.row->student));
    if (is_shared) match.row = nullptr;
    if (match.row != nullptr) keys[student] = match.row->student;
    if (match.row != nullptr || roster.empty()) continue;
    auto& rows = handed_in.unmatched[student];
    for (const auto* row : match.doubtful) {
      if (!sure.contains(row->student)) rows.push_back(row->student);
    }
  }
  const auto rename = [&](std::string& student) {
    if (const auto found = keys.find(student); found != keys.end()) student = found->second;
  };
  for (auto& one : handed_in.attempts) {
    one.given = one.student;
    rename(one.student);
  }
  for (auto& one : handed_in.received) {
    one.given = one.student;
    rename(one.student);
  }
  for (auto& one : handed_in.problems) rename(one.student);
  for (auto& one : handed_in.students) rename(one);
  std::ranges::sort(handed_in.students);
  handed_in.students.erase(std::unique(handed_in.students.begin(), handed_in.students.end()),
                           handed_in.students.end());
  std::map<std::string, HandedIdentity> identities;
  for (auto& [student, identity] : handed_in.identities) {
    const auto found = keys.find(student);
    identities[found == keys.end() ? student : found->second] = std::move(identity);
  }
  handed_in.identities = std::move(identities);
  std::ranges::stable_sort(handed_in.attempts, {}, [](const HandIn& one) {
    return std::tie(one.student, one.lab, one.exercise, one.submitted_at, one.number);
  });
}

std::optional<std::string> roster_key(const std::vector<Enrolled>& roster,
                                      const std::string& student, const HandedIdentity& identity) {
  const auto match = Matcher(roster, /*has_school_numbers=*/true).match(student, identity);
  if (match.row == nullptr) return std::nullopt;
  return match.row->student;
}

void Namesakes::add(const std::string& student, const std::string& place,
                    const HandedIdentity& identity) {
  if (!identity.email.empty()) {
    tags_[student]["@"].insert(folded_text(identity.email));
  } else if (!identity.number.empty()) {
    tags_[student][place].insert(identity.number);
  }
}

std::string Namesakes::key(const std::string& student, const HandedIdentity& identity) const {
  const auto found = tags_.find(student);
  const bool is_shared =
      found != tags_.end() &&
      std::ranges::any_of(found->second, [](const auto& one) { return one.second.size() > 1; });
  if (!is_shared) return student;
  if (!identity.email.empty()) return identity.email;
  return identity.number.empty() ? student : student + "_" + identity.number;
}

namespace {

namespace fs = std::filesystem;

// The column of the groups: Canvas's, Moodle's, or that in a custom file.
std::optional<std::size_t> group_column(const Gradebook& book) {
  for (const auto* title : {"group_name", "group name", "group", "groups", "team"}) {
    for (std::size_t i = 0; i < book.table.columns(book.header); ++i) {
      if (folded_text(book.table.text(book.header, i)) == title) return i;
    }
  }
  return std::nullopt;
}

// Moodle's column `Groups` has all groups of a student: "Team 1, Lab B".
std::vector<std::string> groups_in_cell(const std::string& text, bool may_be_several) {
  std::vector<std::string> out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto end = may_be_several ? std::min(rest.find(", "), rest.size()) : rest.size();
    const auto one = rest.substr(0, end);
    const auto begin = one.find_first_not_of(' ');
    if (begin != std::string_view::npos) {
      out.emplace_back(one.substr(begin, one.find_last_not_of(' ') + 1 - begin));
    }
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return out;
}

StudentGroup& group_called(std::vector<StudentGroup>& groups, const std::string& name) {
  const auto found = std::ranges::find(groups, name, &StudentGroup::name);
  if (found != groups.end()) return *found;
  groups.push_back({name, {}, {}});
  return groups.back();
}

// Whether submissions that came under the name `student` are those of the group. Canvas writes
// "team1_123" for "Team 1".
bool is_named_as(const StudentGroup& group, const std::string& student,
                 const HandedIdentity* identity) {
  const auto wanted = squashed_text(group.name);
  if (wanted.empty()) return group.name == student;
  if (identity != nullptr && squashed_text(identity->name) == wanted) return true;
  const auto cut = student.rfind('_');
  const bool has_number = cut != std::string::npos &&
                          student.find_first_not_of("0123456789", cut + 1) == std::string::npos;
  return squashed_text(student) == wanted ||
         (has_number && squashed_text(student.substr(0, cut)) == wanted);
}

class GroupWork {
 public:
  GroupWork(HandedIn& handed_in, const std::vector<StudentGroup>& groups,
            const std::vector<Enrolled>& roster)
      : handed_in_(handed_in), groups_(groups) {
    for (const auto& one : roster) enrolled_.insert(one.student);
  }

  void share() {
    const auto students = handed_in_.students;
    // Copies only original work, never copies.
    const auto attempts = handed_in_.attempts;
    const auto received = handed_in_.received;
    for (const auto& student : students) {
      const auto members = partners(student);
      if (members.empty()) continue;
      const bool is_member = members.contains(student);
      for (const auto& member : members) {
        if (member == student) continue;
        for (const auto& one : attempts) {
          if (one.student == student) add_attempt(one, member);
        }
        for (const auto& one : received) {
          if (one.student == student) add_received(one, member, is_member);
        }
        add_student(member);
      }
      if (!is_member) remove(student);
    }
    std::ranges::sort(handed_in_.students);
    std::ranges::stable_sort(handed_in_.attempts, {}, [](const HandIn& one) {
      return std::tie(one.student, one.lab, one.exercise, one.submitted_at, one.number);
    });
  }

 private:
  // All members of the groups whose work `student` hands in.
  std::set<std::string> partners(const std::string& student) const {
    const auto known = handed_in_.identities.find(student);
    const auto* identity = known == handed_in_.identities.end() ? nullptr : &known->second;
    std::set<std::string> out;
    const auto add = [&](const StudentGroup& group) {
      out.insert(group.members.begin(), group.members.end());
    };
    for (const auto& group : groups_) {
      if (std::ranges::find(group.members, student) != group.members.end()) add(group);
    }
    if (!out.empty() || enrolled_.contains(student)) return out;
    for (const auto& group : groups_) {
      if (is_named_as(group, student, identity)) add(group);
    }
    return out;
  }

  void add_attempt(HandIn one, const std::string& member) {
    one.student = member;
    handed_in_.attempts.push_back(std::move(one));
  }

  // One row describes the file; the others refer to it.
  void add_received(ReceivedFile one, const std::string& member, bool is_copy) {
    const bool is_first = !is_copy && given_.insert({one.student, one.path}).second;
    one.student = member;
    one.is_copy = !is_first;
    handed_in_.received.push_back(std::move(one));
  }

  void add_student(const std::string& member) {
    auto& all = handed_in_.students;
    if (std::ranges::find(all, member) == all.end()) all.push_back(member);
    if (!enrolled_.empty() && !enrolled_.contains(member)) handed_in_.unmatched[member];
  }

  // A group's name is not a student's.
  void remove(const std::string& group) {
    const auto is_its = [&](const auto& one) { return one.student == group; };
    std::erase(handed_in_.students, group);
    std::erase_if(handed_in_.attempts, is_its);
    std::erase_if(handed_in_.received, is_its);
    handed_in_.identities.erase(group);
    handed_in_.unmatched.erase(group);
  }

  HandedIn& handed_in_;
  const std::vector<StudentGroup>& groups_;
  std::set<std::string> enrolled_;
  std::set<std::pair<std::string, std::string>> given_;
};

}  // namespace

std::vector<StudentGroup> groups_in_csv(std::string_view bytes, const std::string& shown) {
  const auto book = read_gradebook(bytes, shown);
  const auto column = group_column(book);
  if (!column) {
    throw base::UsageError(
        fmt::format("{}:1: the groups need a column `group` (Canvas: group_name)",
                    base::escape_controls(shown)));
  }
  const bool may_be_several = folded_text(book.table.text(book.header, *column)) == "groups";
  std::vector<StudentGroup> out;
  for (std::size_t i = 0; i < book.students.size(); ++i) {
    const auto cell = book.table.text(book.rows[i], *column);
    for (const auto& name : groups_in_cell(cell, may_be_several)) {
      group_called(out, base::escape_controls(name)).rows.push_back(book.students[i]);
    }
  }
  return out;
}

std::vector<StudentGroup> read_groups(const toml::table& parsed, text::Table& table,
                                      const fs::path& folder) {
  const auto* named = parsed["groups"].as_table();
  if (named == nullptr) {
    const auto file = folder / table.text("groups");
    return groups_in_csv(text::read_file(file, file.string()), file.string());
  }
  auto each = table.table("groups");
  std::vector<StudentGroup> out;
  for (const auto& [key, value] : *named) {
    const std::string name(key.str());
    out.push_back({name, each.texts(name), {}});
    if (out.back().members.empty()) each.fail(name, "a group has at least one member");
  }
  each.finish();
  return out;
}

void resolve_groups(std::vector<StudentGroup>& groups, const std::vector<Enrolled>& roster) {
  for (auto& group : groups) {
    std::set<std::string> keys;
    for (const auto& member : group.members) {
      keys.insert(roster_key(roster, member, {}).value_or(member));
    }
    for (const auto& row : group.rows) {
      const auto& number = row.id.empty() ? row.number : row.id;
      const HandedIdentity identity{row.name, row.login, number, row.email};
      keys.insert(roster_key(roster, row.student, identity).value_or(row.student));
    }
    group.members.assign(keys.begin(), keys.end());
    group.rows.clear();
  }
}

void share_group_work(HandedIn& handed_in, const std::vector<StudentGroup>& groups,
                      const std::vector<Enrolled>& roster) {
  if (!groups.empty()) GroupWork(handed_in, groups, roster).share();
  handed_in.groups.clear();
  for (const auto& one : groups) handed_in.groups.push_back({one.name, one.members});
}

}  // namespace warpgrade::grader::class_book
