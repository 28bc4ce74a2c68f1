// SPDX-License-Identifier: Apache-2.0
// Matches submissions with people: students, rows of the roster, members of groups.
//
// In: the submissions, the roster, the groups of class.toml, and decisions of persons. Out: each
// student's key in the roster; a group's work, once for each member; in the book, work that moves
// with its student.
// A platform's export names a student in another way than its gradebook does: by a login, a
// number, an address or only a name. A name that two students share matches neither of them.
// A student without a row keeps the name as key until a person decides, so no student gets
// another's grade or a zero.
#include "grader/class/identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/gradebook.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"
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

// Whether two names cannot be one person's. Platforms drop apostrophes and other signs: "ONeil". A
// name with undecodable bytes, "M\xffll", proves nothing.
bool is_contradicted(const std::string& a, const std::string& b) {
  const bool is_known = !a.empty() && !b.empty() && b.find("\\x") == std::string::npos;
  return is_known && squashed_text(folded_name(a)) != squashed_text(folded_name(b));
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
  sort_attempts(handed_in.attempts);
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
    sort_attempts(handed_in_.attempts);
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
}

namespace {

std::vector<Enrolled> earlier_roster(Sqlite& book) {
  auto roster = roster_of(book);
  return roster ? std::move(roster->students) : std::vector<Enrolled>();
}

// The key of a student of an earlier roster in this one.
std::optional<std::string> roster_key_of(const std::vector<Enrolled>& roster, const Enrolled& one) {
  const auto& number = one.number.empty() ? one.id : one.number;
  return roster_key(roster, one.student, {one.name, one.login, number, one.email});
}

// Moves decisions about `from` to `to`, except where `to` already has one.
void move_decisions(Sqlite& book, const std::string& from, const std::string& to) {
  book.run(
      "CREATE TEMP TABLE IF NOT EXISTS moved (id INTEGER PRIMARY KEY); DELETE FROM temp.moved");
  Statement points(
      book,
      "INSERT INTO temp.moved SELECT id FROM newest_adjustment AS a WHERE student = :from AND "
      "points IS NOT NULL AND NOT EXISTS (SELECT 1 FROM newest_adjustment AS t WHERE t.student = "
      ":to AND t.lab = a.lab AND t.exercise = a.exercise AND t.points IS NOT NULL)");
  points.bind(":from", from).bind(":to", to).run();
  Statement add(
      book,
      "INSERT INTO adjustment (student, lab, exercise, points, who, why, made_at) SELECT :to, lab, "
      "exercise, points, who, why, made_at FROM adjustment WHERE id IN temp.moved ORDER BY id");
  add.bind(":to", to).run();
  book.run(
      "INSERT INTO adjustment (student, lab, exercise, who, why) SELECT student, lab, exercise, "
      "who, why FROM adjustment WHERE id IN temp.moved ORDER BY id; DELETE FROM temp.moved");
  Statement comments(
      book,
      "INSERT INTO comment (student, lab, exercise, text, who, made_at) SELECT :to, lab, exercise, "
      "text, who, made_at FROM newest_comment AS c WHERE student = :from AND NOT EXISTS (SELECT 1 "
      "FROM newest_comment WHERE student = :to AND lab = c.lab AND exercise = c.exercise)");
  comments.bind(":from", from).bind(":to", to).run();
  Statement exceptions(
      book,
      "INSERT INTO temp.moved SELECT id FROM current_exception AS x WHERE student = :from AND NOT "
      "EXISTS (SELECT 1 FROM current_exception AS t WHERE t.student = :to AND t.kind = x.kind AND "
      "t.lab = x.lab AND t.exercise = x.exercise)");
  exceptions.bind(":from", from).bind(":to", to).run();
  Statement grant_again(
      book,
      "INSERT INTO exception (student, lab, exercise, kind, until, points, who, why, origin, "
      "made_at) SELECT :to, lab, exercise, kind, until, points, who, why, 'command', made_at FROM "
      "exception WHERE id IN temp.moved ORDER BY id");
  grant_again.bind(":to", to).run();
  book.run(
      "INSERT INTO exception (student, lab, exercise, kind, removed, who, why, origin) SELECT "
      "student, lab, exercise, kind, 1, who, why, 'command' FROM exception WHERE id IN temp.moved "
      "ORDER BY id; DELETE FROM temp.moved");
}

// Moves the attempts and files of `from` (only those under the name `given` if it is set) to `to`.
// An attempt that `to` already has counts once.
void move_work(Sqlite& book, const std::string& from, const std::string& to,
               const std::string& given) {
  Statement known(book,
                  "UPDATE attempt AS t SET found = 1, found_in = f.found_in, place = f.place, "
                  "grade_key = f.grade_key, given = f.given, source = f.source FROM attempt AS f "
                  "WHERE f.student = :from AND f.found AND :given IN ('', f.given) AND t.student = "
                  ":to AND NOT t.found AND t.lab = f.lab AND t.exercise = f.exercise AND t.bundle "
                  "= f.bundle AND t.submitted_at = f.submitted_at");
  known.bind(":from", from).bind(":to", to).bind(":given", given).run();
  Statement move(book,
                 "UPDATE OR IGNORE attempt SET student = :to WHERE student = :from AND found AND "
                 ":given IN ('', given)");
  move.bind(":from", from).bind(":to", to).bind(":given", given).run();
  Statement twice(
      book,
      "UPDATE attempt SET found = 0 WHERE student = :from AND found AND :given IN ('', given)");
  twice.bind(":from", from).bind(":given", given).run();
  Statement files(book,
                  "UPDATE received SET student = :to, attempt = (SELECT t.id FROM attempt AS t "
                  "JOIN attempt AS f ON f.id = received.attempt WHERE t.student = :to AND t.lab = "
                  "f.lab AND t.exercise = f.exercise AND t.bundle = f.bundle AND t.submitted_at = "
                  "f.submitted_at) WHERE student = :from AND :given IN ('', given)");
  files.bind(":from", from).bind(":to", to).bind(":given", given).run();
  Statement problems(
      book,
      "UPDATE problem SET student = :to WHERE student = :from AND run = (SELECT max(id) FROM run)");
  problems.bind(":from", from).bind(":to", to).run();
}

}  // namespace

std::map<std::string, std::string> decided_students(Sqlite& book,
                                                    const std::vector<Enrolled>& roster) {
  Statement ask(book,
                "SELECT given, student FROM identity AS i WHERE student IS NOT NULL AND id = "
                "(SELECT max(id) FROM identity WHERE given = i.given)");
  std::map<std::string, std::string> out;
  while (ask.step()) out[ask.text(0)] = ask.text(1);
  if (roster.empty()) return out;
  const auto earlier = earlier_roster(book);
  for (auto& [given, student] : out) {
    if (std::ranges::find(roster, student, &Enrolled::student) != roster.end()) continue;
    const auto known = std::ranges::find(earlier, student, &Enrolled::student);
    if (known != earlier.end()) student = roster_key_of(roster, *known).value_or(student);
  }
  return out;
}

std::map<std::string, std::string> changed_keys(Sqlite& book, const std::vector<Enrolled>& roster,
                                                const HandedIn& handed_in) {
  std::set<std::string> current(handed_in.students.begin(), handed_in.students.end());
  for (const auto& one : roster) current.insert(one.student);
  std::map<std::string, std::string> out;
  const auto add = [&](const std::string& from, const std::string& to) {
    if (from != to && !current.contains(from)) out.try_emplace(from, to);
  };
  // By the name in submissions: a group's work has several students and identifies none.
  std::map<std::string, std::set<std::string>> keys;
  for (const auto& one : handed_in.attempts) keys[one.given].insert(one.student);
  for (const auto& one : handed_in.received) keys[one.given].insert(one.student);
  Statement before(
      book,
      "SELECT given, min(student) FROM (SELECT given, student FROM attempt WHERE found "
      "UNION SELECT given, student FROM received WHERE given <> '') GROUP BY given "
      "HAVING count(*) = 1");
  while (before.step()) {
    const auto now = keys.find(before.text(0));
    if (now == keys.end() || now->second.size() != 1 || now->second.begin()->empty()) continue;
    add(before.text(1), *now->second.begin());
  }
  if (roster.empty()) return out;
  for (const auto& one : earlier_roster(book)) {
    if (const auto key = roster_key_of(roster, one)) add(one.student, *key);
  }
  Statement others(book, "SELECT student, name FROM class_student");
  while (others.step()) {
    const auto student = others.text(0);
    const auto key = roster_key(roster, student, {others.text(1), "", "", ""});
    if (key) add(student, *key);
  }
  return out;
}

void move_student(Sqlite& book, const std::string& from, const std::string& to) {
  move_decisions(book, from, to);
  move_work(book, from, to, "");
  Statement decided(book,
                    "INSERT INTO identity (given, student, who, why, made_at) SELECT given, :to, "
                    "who, why, made_at FROM identity AS i WHERE student = :from AND given <> :from "
                    "AND id = (SELECT max(id) FROM identity WHERE given = i.given)");
  decided.bind(":from", from).bind(":to", to).run();
}

void keep_candidates(Sqlite& book, const HandedIn& handed_in) {
  Statement gone(book, "DELETE FROM candidate WHERE student = :student");
  for (const auto& student : handed_in.students) gone.bind(":student", student).run();
  Statement put(book, "INSERT OR IGNORE INTO candidate VALUES (:student, :enrolled)");
  for (const auto& [student, rows] : handed_in.unmatched) {
    for (const auto& row : rows) put.bind(":student", student).bind(":enrolled", row).run();
  }
}

void mark_unmatched(Sqlite& book) {
  book.run(
      "UPDATE student SET unmatched = NOT forgotten AND NOT in_roster AND EXISTS (SELECT 1 FROM "
      "student WHERE in_roster) AND coalesce((SELECT i.student FROM identity AS i WHERE i.given = "
      "student.student ORDER BY i.id DESC LIMIT 1), '') <> student AND (EXISTS (SELECT 1 FROM "
      "attempt AS a WHERE a.student = student.student AND a.found) OR EXISTS (SELECT 1 FROM "
      "received AS r WHERE r.student = student.student AND r.state = 'open'))");
}

void expect_given(Sqlite& book, const std::string& given) {
  Statement names(book,
                  "SELECT given FROM attempt WHERE found UNION SELECT given FROM received WHERE "
                  "given <> '' ORDER BY 1");
  const auto known = names.texts();
  if (std::ranges::find(known, given) == known.end()) {
    throw base::UsageError(fmt::format("the book has no work under the name {}{}",
                                       base::escape_controls(given),
                                       text::did_you_mean(given, known)));
  }
}

void decide_student(Sqlite& book, const IdentityDecision& decision) {
  const auto& given = decision.given;
  expect_given(book, given);
  const auto to = decision.student.value_or(given);
  Statement present(book, "SELECT 1 FROM class_student WHERE student = :student");
  if (to != given && !present.bind(":student", to).step()) throw unknown_student(book, to);
  if (to == given) {
    Statement own(book,
                  "INSERT INTO student (student, name, in_roster) VALUES (:student, '', 0) ON "
                  "CONFLICT DO UPDATE SET forgotten = 0");
    own.bind(":student", given).run();
  }
  Statement put(book,
                "INSERT INTO identity (given, student, who, why) VALUES (:given, nullif(:student, "
                "''), :who, :why)");
  put.bind(":given", given).bind(":student", decision.student.value_or(""));
  put.bind(":who", decision.who).bind(":why", decision.why).run();
  Statement holders(book,
                    "SELECT student FROM attempt WHERE given = :given AND found UNION SELECT "
                    "student FROM received WHERE given = :given");
  for (const auto& from : holders.bind(":given", given).texts()) {
    if (from == to) continue;
    if (from == given) move_decisions(book, from, to);
    move_work(book, from, to, given);
  }
  mark_unmatched(book);
}

std::vector<UnmatchedStudent> unmatched_students(Sqlite& book) {
  Statement ask(book, "SELECT student, name FROM student WHERE unmatched ORDER BY student");
  std::vector<UnmatchedStudent> out;
  while (ask.step()) out.push_back({ask.text(0), ask.text(1), {}});
  Statement rows(book,
                 "SELECT student, name FROM student AS s WHERE in_roster AND NOT EXISTS (SELECT 1 "
                 "FROM attempt WHERE student = s.student AND found) ORDER BY student");
  std::vector<std::string> keys;
  std::map<std::string, std::string> by_name;
  while (rows.step()) {
    keys.push_back(rows.text(0));
    if (!rows.text(1).empty()) by_name[rows.text(1)] = rows.text(0);
  }
  std::vector<std::string_view> candidates(keys.begin(), keys.end());
  for (const auto& [name, key] : by_name) candidates.emplace_back(name);
  for (auto& one : out) {
    Statement known(book, "SELECT enrolled FROM candidate WHERE student = :student ORDER BY 1");
    one.nearest = known.bind(":student", one.student).texts();
    for (const auto& word : {one.student, one.name}) {
      std::string near(base::nearest(word, candidates));
      if (const auto found = by_name.find(near); found != by_name.end()) near = found->second;
      const bool is_new = std::ranges::find(one.nearest, near) == one.nearest.end();
      if (!near.empty() && is_new) one.nearest.push_back(near);
    }
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
