// SPDX-License-Identifier: Apache-2.0
#include "grader/class/intake_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "common/base/counted.h"
#include "common/base/text.h"
#include "grader/class/needs.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostProblems = 20;  // printed; the file has all

// A line for each problem: student, file, reason.
std::string problem_line(const HandInProblem& one) {
  return fmt::format("{}: {}", base::escape_controls(subject_of(one.student, one.file)), one.what);
}

// Adds students without a row of the roster; work of theirs needs a person.
void report_unmatched(const HandedIn& handed_in, std::vector<HandInProblem>& problems) {
  for (const auto& unmatched : handed_in.unmatched) {
    const auto& student = unmatched.first;
    const bool has_work = std::ranges::find(handed_in.attempts, student, &HandIn::student) !=
                              handed_in.attempts.end() ||
                          std::ranges::any_of(handed_in.received, [&](const ReceivedFile& one) {
                            return one.student == student && one.state == FileState::kOpen;
                          });
    problems.push_back({student, student,
                        has_work ? "is not in the roster; graded under this name, and grades that "
                                   "may be theirs stay open"
                                 : "is not in the roster, and no work was received",
                        has_work});
  }
}

}  // namespace

void report_intake(const HandedIn& handed_in, const Rules& rules, const fs::path& all,
                   const Say& say) {
  auto problems = handed_in.problems;
  report_unmatched(handed_in, problems);
  std::set<std::string> present(handed_in.students.begin(), handed_in.students.end());
  std::size_t missing = 0;
  if (rules.roster) {
    for (const auto& one : *rules.roster) missing += present.contains(one.student) ? 0 : 1;
  }
  say("layout: " + base::escape_controls(handed_in.layout), false);
  const auto students = present.size() + missing;
  say(base::counted(students, "student") + ", " +
          base::counted(handed_in.attempts.size(), "attempt"),
      false);
  std::set<std::string> received;
  std::size_t open = 0;
  bool has_unknown = false;
  for (const auto& one : handed_in.received) {
    if (!one.name.empty()) received.insert(one.student);
    if (one.state == FileState::kOpen && !one.is_copy) ++open;
    has_unknown = has_unknown || (one.state == FileState::kOpen && one.student.empty());
  }
  std::size_t none = missing;
  for (const auto& one : present) none += received.contains(one) ? 0 : 1;
  if (open > 0) {
    say(open == 1 ? std::string("1 file was received and not graded; it is open")
                  : fmt::format("{} files were received and not graded; they are open", open),
        false);
  }
  if (none > 0) {
    say(fmt::format("nothing was received from {}{}", base::counted(none, "student"),
                    has_unknown ? "; files of unknown students may be theirs" : ""),
        false);
  }
  std::ranges::stable_sort(problems,
                           [](const auto& a, const auto& b) { return a.unread > b.unread; });
  std::string lines;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto line = problem_line(problems[i]);
    if (i < kMostProblems) say("  " + line, false);
    lines += line + "\n";
  }
  text::write_atomically(all, lines);
  if (problems.size() > kMostProblems) {
    say(fmt::format("  and {} more; {} has all", problems.size() - kMostProblems,
                    base::escape_controls(all.string())),
        false);
  }
}

}  // namespace warpgrade::grader::class_book
