// SPDX-License-Identifier: Apache-2.0
// `warpgrade check`: the course checks itself, by default in the simulator, so that every machine
// agrees; or on this machine's GPU, which also shows its bounds on speed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/author/course_check.h"
#include "grader/author/margins.h"
#include "grader/author/new_exercise.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/course/skeleton_values.h"
#include "grader/grade/grading_session.h"
#include "grader/report/render_gates.h"
#include "grader/text/files.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::cli {
namespace {

std::string_view expected(const author::Expectation& expectation) {
  switch (expectation.kind) {
    case author::Expectation::Kind::kSkeleton:
      return "fail";
    case author::Expectation::Kind::kSolution:
      return "full points";
    case author::Expectation::Kind::kWrong:
      return name(expectation.claim.reason);
  }
  return {};
}

// The values that each gate lets through and stops.
std::string margin_table(const std::vector<author::Margin>& all,
                         std::vector<std::string>& findings) {
  text::Columns table({true, true, true, false, true, false, true});
  table.add({"exercise", "gate", "device", "solution", "bound", "best outside", "which is"});
  for (std::size_t column = 0; column < 7; ++column) table.colour(0, column, text::Colour::kDim);
  for (const auto& margin : all) {
    const auto& gate = margin.gate;
    table.add({margin.exercise, gate.gate.id, gate.gate.device,
               margin.solution ? text::number(*margin.solution) : "-",
               gate.gate.is_waived ? "waived" : render_bound(gate.bounds),
               margin.best_outside ? text::number(*margin.best_outside) : "-",
               margin.best_outside_file});
    if (gate.gate.is_waived) continue;
    for (auto& finding : author::too_near(margin)) findings.push_back(std::move(finding));
  }
  return table.text(0, text::style_of_stdout());
}

// On a GPU: its name, and the gates that it cannot decide.
std::string remarks_on_gpu(const std::vector<author::Expectation>& all,
                           const report::Report& report) {
  std::string out;
  if (report.backend != run::Backend::kGpu) return out;
  for (const auto& note : report.notes) out += note + '\n';
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != author::Expectation::Kind::kSolution) continue;
    const auto& graded = report.exercises[i];
    for (const auto& warning : graded.warnings) {
      out += fmt::format("{}/{}: {}\n", graded.lab, graded.exercise, warning);
    }
  }
  return out;
}

// Measures the skeletons that `options` select and writes the values of each lab's file.
void write_skeleton_values(const CheckOptions& options) {
  auto course = course::read_course(course::find_root(), options.selections);
  std::vector<grade::GradingTask> tasks;
  for (const auto& selected : select(course, options.selections)) {
    auto task = grade::student_task(course, selected);
    const bool is_kernel = selected.exercise->kernel() != nullptr;
    if (is_kernel && std::filesystem::is_regular_file(task.submission.file)) {
      tasks.push_back(std::move(task));
    }
  }
  grade::GradingSession session(run::Backend::kSim, "", cases::kDefaultSeed);
  const auto report = session.grade(tasks);
  for (auto& lab : course.labs) {
    for (auto& exercise : lab.exercises) {
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (tasks[i].exercise != &exercise) continue;
        author::take_skeleton_values(report.exercises[i],
                                     std::get<course::KernelExercise>(exercise.form));
      }
    }
    const auto file = lab.folder / course::kSkeletonValuesFile;
    const auto after = skeleton_values_text(lab);
    const bool is_there = std::filesystem::is_regular_file(file);
    const auto before = is_there ? text::read_file(file, file.string()) : std::string();
    if (after != before) text::write_atomically(file, after);
  }
}

}  // namespace

int run_check(const CheckOptions& options) {
  if (options.write) write_skeleton_values(options);
  const auto course = course::read_course(course::find_root(), options.selections);
  auto findings = author::places_to_fill_in(course);
  auto all = author::expectations(course, findings);
  const auto selected = select(course, options.selections);
  std::erase_if(all, [&](const author::Expectation& one) {
    return std::none_of(selected.begin(), selected.end(), [&](const course::Selected& wanted) {
      return wanted.exercise == one.task.exercise;
    });
  });
  std::vector<grade::GradingTask> tasks;
  for (const auto& one : all) tasks.push_back(one.task);
  grade::GradingSession session(options.backend, "", cases::kDefaultSeed, {}, options.gpu);
  const auto report = session.grade(tasks);

  text::Columns table({true, true, true, false, true});
  table.add({"file", "expected", "reason", "points"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& graded = report.exercises[i];
    const auto broken = author::broken_expectation(all[i], graded);
    const auto row = table.size();
    table.add({graded.file, std::string(expected(all[i])), std::string(name(graded.reason)),
               fmt::format("{}/{}", graded.points, graded.max_points),
               broken.empty() ? "ok" : "NO"});
    table.colour(row, 4, broken.empty() ? text::Colour::kGreen : text::Colour::kRed);
    if (!broken.empty()) findings.push_back(fmt::format("{}: {}", graded.file, broken));
  }
  auto out = table.text(0, text::style_of_stdout());
  const auto found = author::margins(all, report.exercises);
  out += '\n' + margin_table(found, findings) + '\n';
  for (const auto& margin : found) {
    if (const auto text = author::too_wide(margin); !text.empty()) out += text + '\n';
  }
  out += remarks_on_gpu(all, report);
  for (const auto& finding : findings) out += finding + '\n';
  out += fmt::format("{} submissions checked, {} findings\n", all.size(), findings.size());
  print(out);
  return findings.empty() ? 0 : 1;
}

}  // namespace warpgrade::grader::cli
