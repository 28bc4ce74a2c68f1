// SPDX-License-Identifier: Apache-2.0
// Processor time of a grade: in a session for one exercise, like `warpgrade grade`, and in the
// judge of a class's worker, which reuses what grades have in common. Run `meson test --benchmark
// grade`.
//
// Measures the CPU time of this process, its compilers and its judge together, so other load has
// little effect.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "common/base/child_process.h"
#include "common/base/wire.h"
#include "grader/cases/submission.h"
#include "grader/class/spool.h"
#include "grader/class/worker.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"

namespace warpgrade::grader {
namespace {

const std::filesystem::path kRoot = WARPGRADE_SOURCE_ROOT;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// CPU seconds of this process and its ended children.
double used_here() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum;
}

// CPU seconds of a running child and of its own ended children: fields 14 to 17 of its stat.
double used_by(pid_t child) {
  std::ifstream file("/proc/" + std::to_string(child) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double ticks = 0;
    fields >> ticks;
    sum += ticks;
  }
  return sum / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void session(benchmark::State& state, const std::string& exercise) {
  const auto course = course::read_course(kRoot, {});
  const auto task = grade::solution_task(course, select(course, {exercise}).front());
  for (auto _ : state) {
    const auto begin = used_here();
    grade::GradingSession session(run::Backend::kSim, "", cases::kDefaultSeed);
    if (session.grade({task}).exercises.front().verdict != report::Verdict::kPass) {
      state.SkipWithError("a solution does not pass");
    }
    state.SetIterationTime(used_here() - begin);
  }
}

class JudgeChild {
 public:
  bool passes(const class_book::Task& task) {
    if (!child_.send(base::encode(task))) return false;
    const auto message = child_.receive();
    const auto outcome = message ? base::decode<class_book::Outcome>(*message) : std::nullopt;
    return outcome && outcome->grade() != nullptr &&
           outcome->grade()->verdict == report::Verdict::kPass;
  }
  double used() const { return used_by(child_.process()); }

 private:
  base::ForkedChild child_{[](const auto& ends) {
    return base::become_program({WARPGRADE_PROGRAM, class_book::kJudgeCommand, "sim"}, ends);
  }};
};

void class_worker(benchmark::State& state, const std::string& exercise) {
  setenv("WARPGRADE_ROOT", kRoot.c_str(), 1);
  const auto course = course::read_course(kRoot, {});
  const auto selected = select(course, {exercise}).front();
  const auto name = selected.exercise->file_name();
  std::ifstream file(kRoot / "solutions" / selected.lab->id / name, std::ios::binary);
  class_book::Task task;
  task.lab = selected.lab->id;
  task.exercise = selected.exercise->id;
  task.files = {{name, {std::istreambuf_iterator<char>(file), {}}}};
  JudgeChild judge;
  if (!judge.passes(task)) state.SkipWithError("a solution does not pass");  // and warms it
  for (auto _ : state) {
    const auto begin = judge.used();
    if (!judge.passes(task)) state.SkipWithError("a solution does not pass");
    state.SetIterationTime(judge.used() - begin);
  }
}

#define WARPGRADE_GRADE(name, exercise)                                                       \
  BENCHMARK_CAPTURE(session, name, exercise)->UseManualTime()->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(class_worker, name, exercise)->UseManualTime()->Unit(benchmark::kMillisecond)

WARPGRADE_GRADE(copy, "coalescing/copy");
WARPGRADE_GRADE(padded, "bank_conflicts/padded");
WARPGRADE_GRADE(diagonal, "partition_camping/diagonal");
WARPGRADE_GRADE(reduce_blocks, "coarsening/reduce_blocks");

}  // namespace
}  // namespace warpgrade::grader

BENCHMARK_MAIN();
