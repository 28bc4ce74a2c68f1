// SPDX-License-Identifier: Apache-2.0
// The state of a class as text: what came in, what a person must do, and the points.
//
// In: the submissions of a run, and the book. Out: the summary before grading, the open tasks,
// and the text of `class status`.
// Open tasks are students who are not in the roster, files that were not graded, and submissions
// without a grade. `class status` begins with them; `class run` ends with them. Problems are
// printed up to a number; a file beside the book has all of them.
#include "grader/class/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/hand_in.h"
#include "grader/class/identities.h"
#include "grader/class/rules.h"
#include "grader/course/course.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {
namespace {

std::string run_again(Sqlite& book, const std::string& book_file) {
  Statement ask(book, "SELECT path FROM source ORDER BY run DESC, id DESC LIMIT 1");
  const auto from = ask.step() ? text::shell_word(ask.text(0)) : std::string("SUBMISSIONS");
  return fmt::format("{} class run {} {}", base::program_call(), text::shell_word(book_file), from);
}

// The command that decides whose work `student` has.
std::string match_call(const std::string& book_file, const std::string& student) {
  return fmt::format("{} class match {} {}", base::program_call(), text::shell_word(book_file),
                     text::shell_word(student));
}

Need unmatched_need(Sqlite& book, const std::string& book_file) {
  Need out;
  out.kind = NeedKind::kUnmatched;
  for (const auto& one : unmatched_students(book)) {
    auto line = one.student;
    if (!one.name.empty() && one.name != one.student) line += " (" + one.name + ")";
    line += one.nearest.empty() ? ": no similar student of the roster is without work"
                                : ": maybe " + text::joined(one.nearest, " or ");
    out.lines.push_back(base::escape_controls(line));
    if (!out.command.empty()) continue;
    out.command = match_call(book_file, one.student);
    out.command +=
        one.nearest.size() == 1
            ? fmt::format(" {}  # or --guest, if the roster does not have {}",
                          text::shell_word(one.nearest[0]), base::escape_controls(one.student))
            : std::string("  # lists the students whose work it may be");
  }
  out.count = out.lines.size();
  return out;
}

Need files_need(Sqlite& book, const std::string& book_file) {
  Need out;
  out.kind = NeedKind::kFiles;
  for (const auto& one : open_files(book)) {
    const auto student = one.student.empty() ? std::string("unknown student") : one.student;
    out.lines.push_back(base::escape_controls(subject_of(student, one.path)) + ": " +
                        base::escape_controls(one.reason));
  }
  out.count = out.lines.size();
  out.command = run_again(book, book_file) +
                "  # after you fixed or removed the files, or set points with `class adjust`";
  return out;
}

// Attempts without a grade: judged in vain, refused for a waived gate, or not judged yet.
Need ungraded_need(Sqlite& book, const std::string& book_file, NeedKind kind) {
  Need out;
  out.kind = kind;
  const bool is_judged = kind != NeedKind::kNotGraded;
  Statement ask(
      book,
      "SELECT student, lab || '/' || exercise, open_reason FROM counted_attempt JOIN class_student "
      "USING (student) WHERE grade IS NULL AND CASE WHEN refused <> '' THEN 'waived' WHEN "
      "open_reason IS NOT NULL THEN 'open' ELSE '' END = :state AND NOT EXISTS (SELECT 1 FROM "
      "closed_work AS w WHERE w.student = counted_attempt.student AND w.lab = counted_attempt.lab "
      "AND w.exercise = counted_attempt.exercise) ORDER BY 1, 2");
  ask.bind(":state", kind == NeedKind::kWaived ? "waived" : is_judged ? "open" : "");
  while (ask.step()) {
    out.lines.push_back(base::escape_controls(ask.text(0) + ": " + ask.text(1) +
                                              (is_judged ? ": " + ask.text(2) : std::string())));
  }
  out.count = out.lines.size();
  out.command = run_again(book, book_file);
  if (kind == NeedKind::kNotJudged) out.command += " --retry";
  if (kind == NeedKind::kWaived) {
    out.command += "  # without --strict, or on a card for which the manifest has a bound";
  }
  return out;
}

}  // namespace

std::vector<Need> find_needs(Sqlite& book, const std::string& book_file) {
  std::vector<Need> out = {unmatched_need(book, book_file), files_need(book, book_file),
                           ungraded_need(book, book_file, NeedKind::kNotJudged),
                           ungraded_need(book, book_file, NeedKind::kWaived),
                           ungraded_need(book, book_file, NeedKind::kNotGraded)};
  std::erase_if(out, [](const Need& one) { return one.count == 0; });
  return out;
}

std::string match_choices(Sqlite& book, const std::string& book_file, const std::string& given) {
  const auto call = match_call(book_file, given);
  const auto unmatched = unmatched_students(book);
  const auto known = std::ranges::find(unmatched, given, &UnmatchedStudent::student);
  const auto nearest = known == unmatched.end() ? std::vector<std::string>() : known->nearest;
  std::vector<std::string> likely(nearest.size());
  std::string free;
  std::string busy;
  Statement ask(book,
                "SELECT student, name, EXISTS (SELECT 1 FROM attempt WHERE student = s.student AND "
                "found) FROM student AS s WHERE in_roster ORDER BY student");
  while (ask.step()) {
    const auto name = ask.text(1);
    const auto line = fmt::format("  {} {}{}\n", call, text::shell_word(ask.text(0)),
                                  name.empty() ? "" : "  # " + base::escape_controls(name));
    const auto place = std::ranges::find(nearest, ask.text(0));
    if (place != nearest.end()) {
      likely[static_cast<std::size_t>(place - nearest.begin())] = line;
    } else {
      (ask.integer(2) == 0 ? free : busy) += line;
    }
  }
  const auto list = [](const char* head, const std::string& lines) {
    return lines.empty() ? std::string() : std::string(head) + lines;
  };
  return list("It may be the work of\n", text::joined(likely, "")) +
         list("Students of the roster without work:\n", free) +
         list("Students of the roster with work:\n", busy) +
         fmt::format("If the roster does not have this student:\n  {} --guest\n", call);
}

std::vector<WaivedGates> waived_gates(Sqlite& book) {
  Statement ask(book,
                "SELECT lab || '/' || exercise, waived, count(*) FROM standing WHERE waived <> '' "
                "GROUP BY lab, exercise, waived ORDER BY place, waived");
  std::vector<WaivedGates> out;
  while (ask.step()) {
    out.push_back({ask.text(0), ask.text(1), static_cast<std::size_t>(ask.integer(2))});
  }
  return out;
}

std::string described(const WaivedGates& one) {
  return fmt::format("{}: {} the points of {}, which the card cannot decide", one.exercise,
                     one.students == 1 ? std::string("1 student has")
                                       : fmt::format("{} students have", one.students),
                     one.gates);
}

std::string title(const Need& need) {
  const auto counted = [&](const char* one, const char* many) {
    return need.count == 1 ? std::string(one) : fmt::format("{} {}", need.count, many);
  };
  switch (need.kind) {
    case NeedKind::kUnmatched:
      return counted("1 student with work is not in the roster",
                     "students with work are not in the roster") +
             "; grades that may be theirs stay open";
    case NeedKind::kFiles:
      return counted("1 file was received and not graded", "files were received and not graded");
    case NeedKind::kNotJudged:
      return counted("1 submission could not be judged", "submissions could not be judged");
    case NeedKind::kWaived:
      return counted("1 submission has a gate", "submissions have gates") +
             " that the card cannot decide; --strict leaves them open";
    case NeedKind::kNotGraded:
      return counted("1 submission has no grade yet", "submissions have no grade yet");
  }
  return {};
}

std::string needs_text(const std::vector<Need>& needs, std::size_t most) {
  std::string out;
  for (const auto& need : needs) {
    out += title(need) + ":\n";
    for (std::size_t i = 0; i < std::min(most, need.lines.size()); ++i) {
      out += "  " + need.lines[i] + "\n";
    }
    if (need.lines.size() > most) out += fmt::format("  and {} more\n", need.lines.size() - most);
    out += "  next: " + need.command + "\n";
  }
  return out;
}

std::vector<OpenFile> open_files(Sqlite& book) {
  // A student may have two files of one path in an archive; members of a group have one together.
  Statement ask(
      book,
      "SELECT group_concat(student, ', '), path, reason FROM (SELECT *, row_number() OVER "
      "(PARTITION BY source, student, path, reason ORDER BY id) AS copy FROM open_file "
      "ORDER BY student) GROUP BY source, given, path, reason, copy "
      "ORDER BY min(student) <> '', min(exercise) <> '', min(student), path");
  std::vector<OpenFile> out;
  while (ask.step()) out.push_back({ask.text(0), ask.text(1), ask.text(2)});
  return out;
}

std::string subject_of(const std::string& student, const std::string& file) {
  if (student.empty() || file == student || file.starts_with(student + "/")) return file;
  return student + ": " + file;
}

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
  for (const auto& one : rules.roster) missing += present.contains(one.student) ? 0 : 1;
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

namespace {

constexpr std::size_t kMostRows = 20;   // of a list
constexpr std::size_t kMostNeeds = 20;  // lines for each kind of task

std::string last_run(Sqlite& book) {
  Statement ask(book,
                "SELECT began_at, ended_at, engine, backend, sandbox FROM run ORDER BY id DESC "
                "LIMIT 1");
  if (!ask.step()) return "No run yet.\n";
  const auto ended = ask.text(1);
  return fmt::format("last run: {} to {}, {}, {}; sandbox: {}\n", ask.text(0),
                     ended.empty() ? "(not ended)" : ended, ask.text(2), ask.text(3), ask.text(4));
}

std::string by_exercise(Sqlite& book, const text::Style& style) {
  text::Columns columns({true, false, false, false, false, false, false, false});
  columns.add({"exercise", "pass", "fail", "missing", "open", "mean", "of", "attempts"});
  Statement ask(book,
                "SELECT lab || '/' || exercise, sum(verdict = 'pass'), sum(verdict = 'fail'), "
                "sum(verdict = 'missing'), sum(open_reason IS NOT NULL), avg(points), "
                "max_points, sum(attempts) FROM standing GROUP BY lab, exercise ORDER BY place");
  while (ask.step()) {
    std::vector<std::string> row = {ask.text(0)};
    for (int i = 1; i < 5; ++i) row.push_back(std::to_string(ask.integer(i)));
    row.push_back(ask.is_null(5) ? "-" : fmt::format("{:.2f}", ask.number(5)));
    row.push_back(fmt::format("{:g}", ask.number(6)));
    row.push_back(std::to_string(ask.integer(7)));
    columns.add(std::move(row));
  }
  return columns.text(2, style);
}

// How many of the attempts that count are the course's own files.
std::string untouched_skeletons(Sqlite& book) {
  Statement ask(book,
                "SELECT count(*) FROM counted_attempt AS c JOIN attempt AS a ON a.id = c.attempt "
                "WHERE a.untouched");
  ask.step();
  const auto count = static_cast<std::size_t>(ask.integer(0));
  return count == 0 ? "" : base::counted(count, "attempt") + " that count: untouched skeletons\n";
}

// The title with the number of lines, and the first of them.
std::string shown_list(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  auto out = fmt::format("{} ({}):\n", title, lines.size());
  for (std::size_t i = 0; i < std::min(lines.size(), kMostRows); ++i) out += "  " + lines[i] + "\n";
  if (lines.size() > kMostRows) out += fmt::format("  and {} more\n", lines.size() - kMostRows);
  return out;
}

std::string listed(Sqlite& book, const std::string& title, const char* sql) {
  Statement ask(book, sql);
  std::vector<std::string> lines;
  while (ask.step()) {
    lines.push_back(base::escape_controls(ask.text(0)) + ": " + base::escape_controls(ask.text(1)));
  }
  return shown_list(title, lines);
}

// Gates that everybody passes on the card.
std::string waived(Sqlite& book) {
  std::string out;
  for (const auto& one : waived_gates(book)) {
    out += "  " + base::escape_controls(described(one)) + "\n";
  }
  return out.empty() ? out : "waived gates (--strict leaves such grades open):\n" + out;
}

// Remarks of the last run about graded or ignored files.
std::string remarks(Sqlite& book) {
  Statement ask(book,
                "SELECT student, file, what FROM problem WHERE run = (SELECT max(id) FROM run) AND "
                "NOT unread ORDER BY rowid");
  std::vector<std::string> lines;
  while (ask.step()) {
    lines.push_back(base::escape_controls(subject_of(ask.text(0), ask.text(1))) + ": " +
                    base::escape_controls(ask.text(2)));
  }
  return shown_list("remarks of the last run", lines);
}

// The points that changed when the last run graded the same content again.
std::string regraded(Sqlite& book) {
  const auto text = regrades_text(book, /*only_last=*/true);
  return text.empty() ? text : "changed by the last run:\n" + text;
}

std::string exceptions_listed(Sqlite& book) {
  const auto zone = zone_of_book(book);
  const auto all = current_exceptions(book);
  std::string out;
  for (const auto& one : all) {
    out +=
        base::escape_controls(fmt::format("  {} {}: {} by {}: {}", one.student, exercises_of(one),
                                          described(one, zone), one.who, one.why)) +
        "\n";
  }
  if (all.empty()) return {};
  return fmt::format("extensions, excuses and bonuses ({}):\n{}", all.size(), out);
}

}  // namespace

std::string regrades_text(Sqlite& book, bool only_last) {
  Statement ask(
      book,
      "SELECT run, lab || '/' || exercise, count(*), sum(before <> after), group_concat(CASE WHEN "
      "before <> after THEN student || ' ' || printf('%g to %g', before, after) END, ', '), "
      "(SELECT "
      "began_at FROM run WHERE id = run) FROM (SELECT * FROM regrade WHERE NOT :only_last OR run = "
      "(SELECT max(id) FROM run WHERE ended_at <> '') ORDER BY student) GROUP BY run, lab, "
      "exercise "
      "ORDER BY run DESC, 2");
  ask.bind(":only_last", only_last);
  std::string out;
  while (ask.step()) {
    const auto changed = ask.integer(3);
    out += fmt::format("  {}{}: {} of {} regraded changed{}\n",
                       only_last ? std::string() : ask.text(5) + ", ", ask.text(1), changed,
                       ask.integer(2),
                       changed > 0 ? ": " + base::escape_controls(ask.text(4)) : std::string());
  }
  return out;
}

std::vector<std::string> labs_changed_since(Sqlite& book, const course::Course& course) {
  std::vector<std::string> out;
  for (const auto& lab : course.labs) {
    Statement ask(book,
                  "SELECT 1 FROM exercise WHERE lab = :lab AND selected AND manifest <> :manifest");
    ask.bind(":lab", lab.id).bind(":manifest", manifest_hash(lab));
    if (ask.step()) out.push_back(lab.id);
  }
  return out;
}

std::string status_text(Sqlite& book, const std::string& book_file,
                        const std::vector<std::string>& changed_labs, const text::Style& style) {
  const auto needs = find_needs(book, book_file);
  auto out = needs.empty() ? std::string("Nothing needs you.\n") : needs_text(needs, kMostNeeds);
  out += last_run(book);
  for (const auto& lab : changed_labs) {
    out += fmt::format(
        "the manifest, reference or solutions of {} changed after the last run: its points are of "
        "the old ones\n  next: {}\n",
        base::escape_controls(lab), run_again(book, book_file));
  }
  out += by_exercise(book, style);
  out += untouched_skeletons(book);
  out += listed(book, "open: points are blank in every export",
                "SELECT student || ' ' || lab || '/' || exercise, open_reason FROM standing WHERE "
                "open_reason IS NOT NULL ORDER BY student, place");
  out += waived(book);
  out += regraded(book);
  out += remarks(book);
  out += exceptions_listed(book);
  out +=
      listed(book, "changed by hand",
             "SELECT student || ' ' || lab || '/' || exercise, printf('%g points by %s: %s', "
             "adjusted_points, adjusted_by, adjusted_why) FROM standing WHERE adjusted_points IS "
             "NOT NULL ORDER BY student, place");
  return out;
}

}  // namespace warpgrade::grader::class_book
