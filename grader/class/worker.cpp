// SPDX-License-Identifier: Apache-2.0
#include "grader/class/worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/error.h"
#include "common/base/forked_child.h"
#include "common/base/wire.h"
#include "grader/class/judge.h"
#include "grader/class/sandbox.h"
#include "grader/class/spool.h"
#include "grader/grade/grading_session.h"
#include "grader/grade/time/copy_times.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::size_t kMostFailed = 3;  // consecutive tasks at which the judge may end
constexpr int kMostTriesOfJudge = 3;    // per task
// For the first task. A run that was killed leaves tasks announced.
constexpr std::chrono::seconds kPatience{60};

// A judge under bubblewrap does not see the user's cache, except for the times of copies and the
// compiled references.
std::vector<std::string> words_of_bubblewrap(run::Backend backend) {
  auto view = judge_view(backend);
  if (const auto file = grade::copy_times_file(); !file.empty()) {
    view.readable.push_back(file.string());
    view.readable.push_back(grade::compiled_folder().string());
  }
  return bubblewrap_words(view, backend == run::Backend::kGpu);
}

std::vector<std::string> words_of_judge(run::Backend backend, bool bubblewrap) {
  std::vector<std::string> out;
  if (bubblewrap) out = words_of_bubblewrap(backend);
  out.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  out.emplace_back(kJudgeCommand);
  out.emplace_back(run::name(backend));
  return out;
}

class JudgeProcess {
 public:
  JudgeProcess(run::Backend backend, bool bubblewrap)
      : child_([words = words_of_judge(backend, bubblewrap)](const auto& ends) {
          prctl(PR_SET_PDEATHSIG, SIGKILL);
          return base::become_program(words, ends);
        }) {}

  /// Returns nullopt if the judge has ended. Throws base::ToolError if it reports that it cannot
  /// judge.
  std::optional<Outcome> judge(const Task& task) {
    if (!child_.send(base::encode(task))) return std::nullopt;
    const auto message = child_.receive(base::kNoTimeout, kMostMessageBytes);
    if (!message) return std::nullopt;
    auto outcome = base::decode<Outcome>(*message);
    if (!outcome || outcome->key != task.key) return std::nullopt;
    if (is_trouble(outcome->result, Trouble::Kind::kJudgeFailed)) {
      throw base::ToolError(outcome->trouble()->why);
    }
    return outcome;
  }

 private:
  base::ForkedChild child_;
};

// The next task; nullopt if none is left. Waits for announced tasks.
std::optional<Spool::Claim> next_claim(Spool& spool, const std::string& worker) {
  const auto latest = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    // The announcement ends after the last task is put, so this is the right order.
    const bool is_announced = spool.is_announced();
    if (auto claim = spool.claim(worker)) return claim;
    if (!is_announced || std::chrono::steady_clock::now() > latest) return std::nullopt;
    std::this_thread::sleep_for(Spool::kGlance);
  }
}

void work(Spool& spool, const WorkerOptions& options) {
  std::optional<JudgeProcess> judge;
  std::size_t failed_in_turn = 0;
  if (spool.is_announced()) judge.emplace(options.backend, options.bubblewrap);
  while (const auto claim = next_claim(spool, options.name)) {
    std::optional<Outcome> outcome;
    for (int tries = 0; tries < kMostTriesOfJudge && !outcome; ++tries) {
      if (!judge) judge.emplace(options.backend, options.bubblewrap);
      outcome = judge->judge(claim->task);
      if (!outcome) judge.reset();
    }
    failed_in_turn = outcome ? 0 : failed_in_turn + 1;
    if (failed_in_turn > kMostFailed) {
      throw base::ToolError("the process that grades ends at once: see the lines above");
    }
    if (!outcome) {
      const Trouble ended{
          Trouble::Kind::kNoGrade,
          fmt::format("the process that grades ended on it, {} times", kMostTriesOfJudge)};
      outcome = Outcome{claim->task.key, {}, options.backend, ended};
    }
    outcome->worker = options.name;
    spool.finish(*claim, options.name, *outcome);
  }
}

}  // namespace

std::vector<std::string> worker_words(const WorkerOptions& options) {
  std::vector<std::string> out = {kWorkerCommand, options.spool.string(), options.name,
                                  std::string(run::name(options.backend))};
  if (options.bubblewrap) out.emplace_back("--bubblewrap");
  if (options.local) out.emplace_back("--local");
  return out;
}

int run_worker(const WorkerOptions& options) {
  if (options.local) prctl(PR_SET_PDEATHSIG, SIGKILL);
  Spool spool(options.spool);
  // A batch system may start the same worker again after its node was lost.
  spool.give_back(options.name);
  try {
    work(spool, options);
  } catch (const base::ToolError&) {
    spool.give_back(options.name);  // no task is to blame
    throw;
  }
  return 0;
}

}  // namespace warpgrade::grader::class_book
