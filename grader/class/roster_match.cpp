// SPDX-License-Identifier: Apache-2.0
#include "grader/class/roster_match.h"

#include <algorithm>
#include <tuple>

#include "grader/text/folded.h"

namespace warpgrade::grader::class_book {
namespace {

bool equal(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && text::folded_text(a) == text::folded_text(b);
}

// "Doe, Jane" as "jane doe".
std::string folded_name(const std::string& name) {
  const auto comma = name.find(',');
  return text::folded_text(
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
  const auto name = text::squashed_text(one.last_name + one.first_name);
  return !name.empty() && name == text::squashed_text(student.substr(0, student.rfind('_')));
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
    tags_[student]["@"].insert(text::folded_text(identity.email));
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

}  // namespace warpgrade::grader::class_book
