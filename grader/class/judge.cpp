// SPDX-License-Identifier: Apache-2.0
#include "grader/class/judge.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/wire.h"
#include "common/compile/compiler.h"
#include "common/compile/toolkit.h"
#include "common/gpu/device_lock.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/nvml.h"
#include "grader/cases/default_seed.h"
#include "grader/class/card_survey.h"
#include "grader/class/namespaces.h"
#include "grader/class/packed_text.h"
#include "grader/class/student_view.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/html/render_html.h"
#include "grader/report/render_json.h"
#include "grader/report/render_text.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes kMostWait{20};  // for one grade; its own limits come long before
// A killed child or compiler (by the kernel, for lack of memory) proves nothing about the
// submission, so the judge tries again.
constexpr int kMostTries = 3;

// A folder that is removed with its contents.
class TaskFolder {
 public:
  explicit TaskFolder(const std::vector<HandedFile>& files) {
    auto pattern = (fs::temp_directory_path() / "warpgrade-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw base::ToolError(fmt::format("{}: cannot be made: {}", pattern, std::strerror(errno)));
    }
    path_ = pattern;
    std::error_code ignored;
    for (const auto& file : files) {
      std::ofstream out(path_ / fs::path(file.name).filename(), std::ios::binary);
      out << file.bytes;
      if (out.flush()) continue;
      const auto why = fmt::format("{}: cannot be written: {}", pattern, std::strerror(errno));
      fs::remove_all(path_, ignored);
      throw base::ToolError(why);
    }
  }
  TaskFolder(const TaskFolder&) = delete;
  TaskFolder& operator=(const TaskFolder&) = delete;
  ~TaskFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Outcome trouble_of(const ClassTask& task, std::string why) {
  Outcome out;
  out.key = task.key;
  out.trouble = std::move(why);
  return out;
}

// Why a report cannot be a grade; empty if it can.
std::string trouble_in(const ExerciseReport& report) {
  if (!report.tool_trouble.empty()) return report.tool_trouble;
  if (report.verdict == Verdict::kError && !report.diagnostics.empty()) {
    return base::text(report.diagnostics.front());
  }
  if (report.verdict == Verdict::kInconclusive) {
    return "no measurement was good enough to decide it; grade it again on a quiet machine";
  }
  return report.verdict == Verdict::kError ? "the grader could not judge it" : "";
}

// The gates whose points the submission has because this card cannot decide them, separated by
// commas.
std::string waived_in(const ExerciseReport& report) {
  std::vector<std::string> out;
  for (const auto& one : report.gates) {
    if (one.gate.is_waived && one.points > 0) out.push_back(one.gate.id);
  }
  return joined(out);
}

// A measurement that was not good enough waits for a quieter machine.
bool is_worth_another_try(const Outcome& outcome) {
  return !outcome.trouble.empty() && outcome.verdict != name(Verdict::kInconclusive);
}

// The page costs its grade little: a traced run of a few blocks, and a tenth of its bytes.
Outcome graded_outcome(const ClassTask& task, const Exercise& exercise, const Report& report,
                       double seconds) {
  const auto& one = report.exercises.front();
  Outcome out;
  out.key = task.key;
  out.trouble = trouble_in(one);
  out.points = one.points;
  out.max_points = one.max_points;
  out.verdict = name(one.verdict);
  out.reason = name(one.reason);
  out.backend = name(report.backend);
  out.device = report.device;
  out.version = report.provenance.version;
  out.commit = report.provenance.commit;
  out.toolkit = report.provenance.toolkit;
  out.graded_at = report.provenance.time;
  out.seconds = seconds;
  out.report = render_json(report);
  const auto shown = student_view(report, exercise);
  out.waived = waived_in(one);
  out.text = render_text(shown, Style(false));
  out.page = pack_text(render_html(shown));
  return out;
}

// The coordinator has read the labs of all tasks, so none of those with a mistake is needed.
Course readable_labs() {
  std::vector<std::string> mistakes;
  return read_usable_labs(find_root(), mistakes);
}

std::unique_ptr<gpu::GpuRunner> open_card() {
  return gpu::open_gpu("--backend gpu: no GPU to run on");
}

// Whether a child of fork_apart() can use the card: a driver may need more than its namespaces
// have.
bool card_works_apart() {
  return works_apart([] {
    try {
      return !open_card()->device().empty();
    } catch (const base::ToolError&) {
      return false;
    }
  });
}

class Judge {
 public:
  Judge(run::Backend backend, const MakeProvenance& provenance)
      : backend_(backend),
        provenance_(provenance),
        course_(readable_labs()),
        session_(run::Backend::kSim, "", kDefaultSeed) {
    provenance_();  // Reads the compiler's version once; children inherit it.
    if (backend != run::Backend::kGpu) return;
    is_apart_ = card_works_apart();
    // A confined process can make no file, so the lock file by which graders take turns is made
    // here.
    const auto card = open_card();
    lock_file_ = gpu::make_lock_file(gpu::lock_folder(), card->bus());
    device_ = card->device();
    driver_ = gpu::driver_version(gpu::load_nvml());
  }

  /// `folder` has the task's files.
  Outcome grade_task(const ClassTask& task, const TaskFolder& folder);

 private:
  Outcome judge_in_child(const ClassTask& task, const Selected& selected, const fs::path& file);
  [[noreturn]] void be_child(const ClassTask& task, const Selected& selected, const fs::path& file,
                             int out);

  run::Backend backend_;
  const MakeProvenance& provenance_;
  Course course_;
  GradingSession session_;
  fs::path lock_file_;  ///< The card's; empty without a card.
  std::string device_;  ///< Likewise.
  std::string driver_;
  bool is_apart_ = false;  ///< Children with a card have namespaces of their own.
};

Outcome Judge::grade_task(const ClassTask& task, const TaskFolder& folder) {
  const auto selected = select(course_, {task.lab + "/" + task.exercise}).front();
  if (selected.exercise->questions.empty()) {
    session_.warm(*selected.lab, *selected.exercise);
    // With a card, children have sessions of their own.
    if (backend_ == run::Backend::kSim) {
      session_.work_out_results(*selected.lab, *selected.exercise);
    }
  }
  const auto file = folder.path() / fs::path(task.files.front().name).filename();
  const auto latest = Clock::now() + kMostWait;
  auto outcome = judge_in_child(task, selected, file);
  for (int tries = 1; tries < kMostTries && is_worth_another_try(outcome); ++tries) {
    if (Clock::now() > latest) break;
    outcome = judge_in_child(task, selected, file);
  }
  return outcome;
}

void Judge::be_child(const ClassTask& task, const Selected& selected, const fs::path& file,
                     int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Neither the next task nor the place of the answers is the submission's.
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  auto view = judge_view(backend_);
  view.readable.push_back(file.parent_path().string());
  if (!lock_file_.empty()) view.writable.push_back(lock_file_.string());
  ProcessLimits limits;
  // A driver maps the memory of all cards that it sees, and more.
  if (view.card) limits.memory_bytes = std::numeric_limits<std::uint64_t>::max();
  limit_process(limits);
  confine(view);
  Outcome outcome;
  try {
    const auto begin = Clock::now();
    const auto shown = selected.lab->id + "/" + selected.exercise->file_name();
    const GradingTask one{selected.lab, selected.exercise, read_submission(file, shown)};
    std::optional<GradingSession> on_gpu;
    if (backend_ == run::Backend::kGpu) {
      const auto facts = facts_of(card_facts_from_json(task.cards), device_, driver_);
      on_gpu.emplace(backend_, "", kDefaultSeed, calibration_from_json(facts.calibration));
      on_gpu->use(facts);
    }
    auto report = (on_gpu ? *on_gpu : session_).grade({one}, false, /*pictures=*/true);
    report.provenance = provenance_();
    outcome = graded_outcome(task, *selected.exercise, report,
                             std::chrono::duration<double>(Clock::now() - begin).count());
    if (on_gpu) outcome.card = on_gpu->card();
  } catch (const std::exception& error) {
    outcome = trouble_of(task, error.what());
  }
  _exit(base::write_message(out, base::encode(outcome)) ? 0 : 3);
}

Outcome Judge::judge_in_child(const ClassTask& task, const Selected& selected,
                              const fs::path& file) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw base::ToolError("no pipe can be made");
  const pid_t child = is_apart_ ? fork_apart() : fork();
  if (child < 0) throw base::ToolError("no process can be started");
  if (child == 0) be_child(task, selected, file, ends[1]);
  close(ends[1]);
  pollfd waiting{ends[0], POLLIN, 0};
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(kMostWait).count();
  int ready = 0;
  do {
    ready = poll(&waiting, 1, static_cast<int>(milliseconds));
  } while (ready < 0 && errno == EINTR);
  const auto message =
      ready > 0 ? base::read_message(ends[0], base::kNoTimeout, kMostMessageBytes) : std::nullopt;
  close(ends[0]);
  if (!message) kill(child, SIGKILL);
  const int status = base::wait_for(child);
  if (message) {
    if (auto outcome = base::decode<Outcome>(*message)) {
      if (outcome->key == task.key) return *std::move(outcome);
    }
  }
  if (ready == 0) return trouble_of(task, fmt::format("no grade in {} minutes", kMostWait.count()));
  return trouble_of(task, fmt::format("the grader ended on it without a grade (signal {})",
                                      WIFSIGNALED(status) ? WTERMSIG(status) : 0));
}

// A full disk stops every task and says nothing about the submission, so the worker gets an outcome
// without a task name.
std::optional<TaskFolder> make_folder(const ClassTask& task) {
  try {
    return std::optional<TaskFolder>(std::in_place, task.files);
  } catch (const base::ToolError& error) {
    base::write_message(STDOUT_FILENO, base::encode(trouble_of({}, error.what())));
    return std::nullopt;
  }
}

}  // namespace

View judge_view(run::Backend backend) {
  View view;
  const auto add = [&](const fs::path& path) {
    std::error_code ignored;
    view.readable.push_back(path.string());
    const auto real = fs::weakly_canonical(path, ignored);
    if (!ignored && real != path) view.readable.push_back(real.string());
  };
  for (const auto* path : {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache",
                           "/etc/alternatives", "/proc/self", "/proc/cpuinfo", "/proc/meminfo",
                           "/sys/devices/system/cpu", "/dev/null", "/dev/zero", "/dev/urandom"}) {
    view.readable.emplace_back(path);
  }
  std::error_code ignored;
  add(fs::read_symlink("/proc/self/exe", ignored).parent_path());
  for (const auto& file : compile::compiler_files()) add(file.parent_path());
  for (const auto& folder : compile::find_toolkit().include_folders) add(folder);
  add(find_root() / "labs");
  view.writable = {"/dev/null"};
  if (backend == run::Backend::kGpu) {
    view.card = true;
    for (const auto* path : {"/proc", "/sys", "/etc"}) view.readable.emplace_back(path);
    for (auto& device : card_devices()) view.writable.push_back(std::move(device));
    view.writable.emplace_back("/proc");  // a driver names its threads in /proc/PID/task/TID/comm
  }
  return view;
}

int run_judge(run::Backend backend, const MakeProvenance& provenance) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Judge judge(backend, provenance);
  while (const auto message =
             base::read_message(STDIN_FILENO, base::kNoTimeout, kMostMessageBytes)) {
    const auto task = base::decode<ClassTask>(*message);
    if (!task || task->files.empty()) throw base::ToolError("a message that is not a task");
    Outcome outcome;
    try {
      const auto folder = make_folder(*task);
      if (!folder) return 3;
      outcome = judge.grade_task(*task, *folder);
    } catch (const base::ToolError& error) {
      outcome = trouble_of(*task, error.what());
    }
    if (!base::write_message(STDOUT_FILENO, base::encode(outcome))) return 3;
  }
  return 0;
}

}  // namespace warpgrade::grader
