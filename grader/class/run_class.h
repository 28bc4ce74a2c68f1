// SPDX-License-Identifier: Apache-2.0
// `class run`: reads submissions into the book and has workers grade those without a grade.
//
// In: the submissions, the rules and an engine. Out: grades in the book, each written at once. If
// the run is killed, the same command continues.
// The coordinator puts tasks into the spool, keeps workers busy, and writes each outcome. If a
// worker ends, another one gets its task; after three of them the task is at fault. On cards,
// every submission is simulated first, and only right ones get a card.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "grader/class/rules.h"
#include "grader/class/spool.h"
#include "grader/class/status.h"
#include "grader/course/course.h"
#include "grader/grade/time/course_on_card.h"
#include "grader/report/report.h"

namespace warpgrade::grader::class_book {

/// Whether a simulated outcome is the grade on a card, too: it does not compile, a check has found
/// something, or the result is wrong. Answers to questions never need a card.
bool needs_no_card(const Outcome& simulated, const std::vector<course::Selected>& exercises,
                   const std::string& lab, const std::string& exercise);

/// Names the facts in the key of a grade; empty if no grade depends on them.
std::string digest_of(const std::vector<grade::CardFacts>& cards);

/// Prints the facts of WARPGRADE_GPU as JSON: the command `class-card`. Throws base::ToolError
/// without a card.
int run_card_survey(const course::Course& course);

/// "graded 120 of 4800, 8.2 a second, 9 min 30 s left, 2 not judged". `seconds` since the start.
std::string progress_line(std::size_t done, std::size_t all, std::size_t troubled, double seconds);

struct RunOptions {
  std::filesystem::path book;
  std::filesystem::path submissions;
  std::string engine = "local";
  std::size_t workers = 0;  ///< 0: one per core, or the engine's choice.
  std::optional<run::Backend> backend;
  std::vector<std::string> students;  ///< Only these; empty: all.
  std::optional<Policy> policy;       ///< Instead of class.toml's.
  bool retry = false;
  bool strict = false;  ///< Grades with gates that the card cannot decide stay open.
};

/// Returns 0 if every submission has a grade, else 3. `provenance` names the program. Throws
/// base::UsageError and base::ToolError.
int run_class(const RunOptions& options, const report::Provenance& provenance, const Say& say);

}  // namespace warpgrade::grader::class_book
