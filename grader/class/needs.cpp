// SPDX-License-Identifier: Apache-2.0
#include "grader/class/needs.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "grader/class/identities.h"
#include "grader/text/program_call.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::class_book {
namespace {

// A word of a shell's command line.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./@+:,").find(c) != std::string_view::npos || (c & 0x80) != 0;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string run_again(Sqlite& book, const std::string& book_file) {
  Statement ask(book, "SELECT path FROM source ORDER BY run DESC, id DESC LIMIT 1");
  const auto from = ask.step() ? shell_word(ask.text(0)) : std::string("SUBMISSIONS");
  return fmt::format("{} class run {} {}", text::program_call(), shell_word(book_file), from);
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
    if (out.command.empty()) {
      out.command =
          fmt::format("{} class match {} {} STUDENT   (or --guest instead of STUDENT)",
                      text::program_call(), shell_word(book_file), shell_word(one.student));
    }
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
  out.command = run_again(book, book_file) + "   (after you mended or removed the files)";
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
      "open_reason IS NOT NULL THEN 'open' ELSE '' END = :state ORDER BY 1, 2");
  ask.bind(":state", kind == NeedKind::kWaived ? "waived" : is_judged ? "open" : "");
  while (ask.step()) {
    out.lines.push_back(base::escape_controls(ask.text(0) + ": " + ask.text(1) +
                                              (is_judged ? ": " + ask.text(2) : std::string())));
  }
  out.count = out.lines.size();
  out.command = run_again(book, book_file);
  if (kind == NeedKind::kNotJudged) out.command += " --retry";
  if (kind == NeedKind::kWaived) {
    out.command += "   (without --strict, or on a card for which the manifest has a bound)";
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
      "(PARTITION BY source, student, path, reason ORDER BY id) AS copy FROM received "
      "WHERE state = 'open' ORDER BY student) GROUP BY source, given, path, reason, copy "
      "ORDER BY min(student) <> '', min(exercise) <> '', min(student), path");
  std::vector<OpenFile> out;
  while (ask.step()) out.push_back({ask.text(0), ask.text(1), ask.text(2)});
  return out;
}

std::vector<Problem> find_problems(Sqlite& book) {
  Statement ask(book,
                "SELECT student, file, what, unread FROM problem WHERE run = (SELECT max(id) FROM "
                "run) ORDER BY unread DESC, rowid");
  std::vector<Problem> out;
  while (ask.step()) out.push_back({ask.text(0), ask.text(1), ask.text(2), ask.integer(3) != 0});
  return out;
}

std::string subject_of(const std::string& student, const std::string& file) {
  if (student.empty() || file == student || file.starts_with(student + "/")) return file;
  return student + ": " + file;
}

}  // namespace warpgrade::grader::class_book
