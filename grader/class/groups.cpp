// SPDX-License-Identifier: Apache-2.0
#include "grader/class/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/roster_match.h"
#include "grader/text/files.h"
#include "grader/text/folded.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

// The column of the groups: Canvas's, Moodle's, or that in a custom file.
std::optional<std::size_t> group_column(const Gradebook& book) {
  for (const auto* title : {"group_name", "group name", "group", "groups", "team"}) {
    for (std::size_t i = 0; i < book.table.columns(book.header); ++i) {
      if (text::folded_text(book.table.text(book.header, i)) == title) return i;
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
  const auto wanted = text::squashed_text(group.name);
  if (wanted.empty()) return group.name == student;
  if (identity != nullptr && text::squashed_text(identity->name) == wanted) return true;
  const auto cut = student.rfind('_');
  const bool has_number = cut != std::string::npos &&
                          student.find_first_not_of("0123456789", cut + 1) == std::string::npos;
  return text::squashed_text(student) == wanted ||
         (has_number && text::squashed_text(student.substr(0, cut)) == wanted);
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
  const bool may_be_several = text::folded_text(book.table.text(book.header, *column)) == "groups";
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
