// SPDX-License-Identifier: Apache-2.0
#include "grader/class/status.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "grader/class/exceptions.h"
#include "grader/class/late_shares.h"
#include "grader/class/needs.h"

namespace warpgrade::grader::class_book {
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

std::string listed(Sqlite& book, const std::string& title, const char* sql) {
  Statement ask(book, sql);
  std::string out;
  std::size_t count = 0;
  while (ask.step()) {
    if (++count <= kMostRows) {
      out += fmt::format("  {}: {}\n", base::escape_controls(ask.text(0)),
                         base::escape_controls(ask.text(1)));
    }
  }
  if (count == 0) return {};
  if (count > kMostRows) out += fmt::format("  and {} more\n", count - kMostRows);
  return fmt::format("{} ({}):\n{}", title, count, out);
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
  auto all = find_problems(book);
  std::erase_if(all, [](const Problem& one) { return one.is_open; });
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kMostRows); ++i) {
    out += "  " + base::escape_controls(subject_of(all[i].student, all[i].file)) + ": " +
           base::escape_controls(all[i].what) + "\n";
  }
  if (all.empty()) return {};
  if (all.size() > kMostRows) out += fmt::format("  and {} more\n", all.size() - kMostRows);
  return fmt::format("remarks of the last run ({}):\n{}", all.size(), out);
}

std::string exceptions_listed(Sqlite& book) {
  const auto zone = zone_of_book(book);
  const auto all = current_exceptions(book);
  std::string out;
  for (const auto& one : all) {
    const auto where = one.lab.empty()        ? std::string("all exercises")
                       : one.exercise.empty() ? one.lab
                                              : one.lab + "/" + one.exercise;
    out += base::escape_controls(fmt::format("  {} {}: {} by {}: {}", one.student, where,
                                             described(one, zone), one.who, one.why)) +
           "\n";
  }
  if (all.empty()) return {};
  return fmt::format("extensions, excuses and bonuses ({}):\n{}", all.size(), out);
}

}  // namespace

std::string status_text(Sqlite& book, const std::string& book_file, const text::Style& style) {
  const auto needs = find_needs(book, book_file);
  auto out = needs.empty() ? std::string("Nothing needs you.\n") : needs_text(needs, kMostNeeds);
  out += last_run(book);
  out += by_exercise(book, style);
  out += listed(book, "open: points are blank in every export",
                "SELECT student || ' ' || lab || '/' || exercise, open_reason FROM standing WHERE "
                "open_reason IS NOT NULL ORDER BY student, place");
  out += waived(book);
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
