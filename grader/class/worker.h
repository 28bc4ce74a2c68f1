// SPDX-License-Identifier: Apache-2.0
// A worker claims tasks of a spool and stores their results; its judge reads students' bytes and
// grades them.
//
// The judge reads Tasks on its standard input, and writes an Outcome for each to its standard
// output. Each message follows its length in 8 bytes. It keeps everything that all grades need: the
// course, the compiled references, the times of copies. It grades each submission in a child
// process, which has a copy of this state and no access to other submissions. The child confines
// itself (sandbox.h), and all its effects end with it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "grader/class/sandbox.h"
#include "grader/grade/time/course_on_card.h"
#include "grader/report/report.h"

namespace warpgrade::grader::class_book {

/// Describes the grader; called for each grade, since it contains the time.
using MakeProvenance = std::function<report::Provenance()>;

/// The command of the process, for the command line's model.
inline constexpr const char* kJudgeCommand = "class-judge";

/// Serves until its input ends. Throws base::UsageError if the course cannot be read.
int run_judge(run::Backend backend, const MakeProvenance& provenance);

/// The files that a judge may see: the toolkit, the program, the labs, the system's libraries.
View judge_view(run::Backend backend);

/// Whether `a` and `b` are about cards of one kind with one driver.
bool is_same_card(const grade::CardFacts& a, const grade::CardFacts& b);

/// The facts of this card among `cards`; without any if it was not measured.
grade::CardFacts facts_of(const std::vector<grade::CardFacts>& cards, const std::string& device,
                          const std::string& driver);

struct WorkerOptions {
  std::filesystem::path spool;
  std::string name;  ///< Unique among running workers; claims contain it.
  run::Backend backend{};
  bool bubblewrap = false;
  bool local = false;  ///< Started by a coordinator here, with which it ends.
};

/// The words after the program's name that start a worker.
std::vector<std::string> worker_words(const WorkerOptions& options);

/// Works until no task is left. Throws base::ToolError if the judge cannot start.
int run_worker(const WorkerOptions& options);

}  // namespace warpgrade::grader::class_book
