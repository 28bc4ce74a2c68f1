// SPDX-License-Identifier: Apache-2.0
// A worker claims tasks of a spool, has a judge grade them, and stores the results.
//
// In: the spool, the course and the backend. Out: an outcome for each task, until none is left.
// A worker never reads a submission itself. It starts one judge, under bubblewrap if possible.
#include "grader/class/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/base/temporary_folder.h"
#include "common/base/text.h"
#include "common/base/wire.h"
#include "common/compile/compiler.h"
#include "common/compile/toolkit.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "common/run/launch.h"
#include "grader/cases/submission.h"
#include "grader/class/sandbox.h"
#include "grader/class/spool.h"
#include "grader/course/course.h"
#include "grader/course/manifest.h"
#include "grader/grade/grading_session.h"
#include "grader/grade/time/copy_times.h"
#include "grader/report/report.h"

namespace warpgrade::grader::class_book {
namespace {

/// The size of a task or an outcome.
constexpr std::uint64_t kMostMessageBytes = std::uint64_t{256} << 20;

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Result = Outcome::Result;

constexpr std::chrono::minutes kMostWait{20};  // for one grade; its own limits come long before
// A killed child or compiler (by the kernel, for lack of memory) proves nothing about the
// submission, so the judge tries again.
constexpr int kMostTries = 3;

void write_files(const fs::path& folder, const std::vector<HandedFile>& files) {
  for (const auto& file : files) {
    std::ofstream out(folder / fs::path(file.name).filename(), std::ios::binary);
    out << file.bytes;
    if (out.flush()) continue;
    throw base::ToolError(
        fmt::format("{}: cannot be written: {}", folder.string(), std::strerror(errno)));
  }
}

Trouble no_grade(std::string why) { return {Trouble::Kind::kNoGrade, std::move(why)}; }

// The coordinator has read the labs of all tasks, so labs with mistakes are not needed.
course::Course readable_labs() {
  std::vector<std::string> mistakes;
  return course::read_usable_labs(course::find_root(), mistakes);
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
        session_(run::Backend::kSim, "", cases::kDefaultSeed) {
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

  Outcome answer(const Task& task);

 private:
  Result result_in(const fs::path& folder, const Task& task);
  /// The session that grades the task, and what it knows of the card if it has one.
  grade::GradingSession& session_for(const Task& task);
  Result judge_in_child(const Task& task, const course::Selected& selected, const fs::path& file);
  /// In the child. Returns its exit code.
  int answer_from_child(const Task& task, const course::Selected& selected, const fs::path& file,
                        int out);

  run::Backend backend_;
  const MakeProvenance& provenance_;
  course::Course course_;
  grade::GradingSession session_;
  /// With a card. Children inherit what it has prepared, but no process that uses the card.
  std::unique_ptr<grade::GradingSession> on_card_;
  std::string facts_;   ///< JSON of the facts with which it was made.
  fs::path lock_file_;  ///< The card's; empty without a card.
  std::string device_;  ///< Likewise.
  std::string driver_;
  bool is_apart_ = false;  ///< Children with a card have namespaces of their own.
};

// A file system cannot store a longer name, but an archive can.
const HandedFile* file_with_long_name(const Task& task) {
  const auto found = std::ranges::find_if(task.files, [](const HandedFile& file) {
    return fs::path(file.name).filename().native().size() > NAME_MAX;
  });
  return found == task.files.end() ? nullptr : &*found;
}

Outcome Judge::answer(const Task& task) {
  if (const auto* file = file_with_long_name(task)) {
    const auto why = fmt::format("a file name has more than {} bytes: {}", NAME_MAX,
                                 base::escape_controls(file->name));
    return {task.key, {}, backend_, no_grade(why)};
  }
  std::optional<base::TemporaryFolder> folder;
  try {
    folder.emplace("task");
    write_files(folder->path(), task.files);
  } catch (const base::ToolError& error) {
    // A full disk stops every task and proves nothing about the submission.
    return {task.key, {}, backend_, Trouble{Trouble::Kind::kJudgeFailed, error.what()}};
  }
  try {
    return {task.key, {}, backend_, result_in(folder->path(), task)};
  } catch (const base::ToolError& error) {
    return {task.key, {}, backend_, no_grade(error.what())};
  }
}

Result Judge::result_in(const fs::path& folder, const Task& task) {
  const auto selected = select(course_, {task.lab + "/" + task.exercise}).front();
  auto& session = session_for(task);
  session.warm(*selected.lab, *selected.exercise);
  session.work_out_results(*selected.lab, *selected.exercise);
  const auto file = folder / fs::path(task.files.front().name).filename();
  const auto latest = Clock::now() + kMostWait;
  auto result = judge_in_child(task, selected, file);
  for (int tries = 1; tries < kMostTries && is_trouble(result, Trouble::Kind::kNoGrade); ++tries) {
    if (Clock::now() > latest) break;
    result = judge_in_child(task, selected, file);
  }
  return result;
}

grade::GradingSession& Judge::session_for(const Task& task) {
  if (backend_ != run::Backend::kGpu) return session_;
  if (!on_card_ || facts_ != task.cards) {
    const auto facts = facts_of(grade::card_facts_from_json(task.cards), device_, driver_);
    on_card_.reset();
    on_card_ = std::make_unique<grade::GradingSession>(
        backend_, "", cases::kDefaultSeed, grade::calibration_from_json(facts.calibration));
    on_card_->use(facts);
    facts_ = task.cards;
  }
  return *on_card_;
}

int Judge::answer_from_child(const Task& task, const course::Selected& selected,
                             const fs::path& file, int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A submission must not read the next task or write an outcome.
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
  Result result;
  try {
    const auto begin = Clock::now();
    const auto shown = selected.lab->id + "/" + selected.exercise->file_name();
    const grade::GradingTask one{selected.lab, selected.exercise,
                                 cases::read_submission(file, shown)};
    auto report = session_for(task).grade({one}, false, /*pictures=*/true);
    report.provenance = provenance_();
    result = result_of(report, *selected.exercise,
                       std::chrono::duration<double>(Clock::now() - begin).count());
    auto* grade = std::get_if<BookGrade>(&result);
    if (on_card_ && grade != nullptr) grade->card = on_card_->card();
  } catch (const std::exception& error) {
    result = no_grade(error.what());
  }
  return base::write_message(out, base::encode(result)) ? 0 : 3;
}

Result Judge::judge_in_child(const Task& task, const course::Selected& selected,
                             const fs::path& file) {
  base::ForkedChild child(
      [&](const base::ForkedChild::Ends& ends) {
        return answer_from_child(task, selected, file, ends.out);
      },
      is_apart_ ? fork_apart : fork);
  const bool has_news = child.has_news(std::chrono::duration<double>(kMostWait).count());
  const auto message = has_news ? child.receive(base::kNoTimeout, kMostMessageBytes) : std::nullopt;
  const int status = message ? child.wait() : child.end();
  if (message) {
    auto result = base::decode<Result>(*message);
    // No submission may stop the judge.
    if (result && !is_trouble(*result, Trouble::Kind::kJudgeFailed)) return *std::move(result);
  }
  if (!has_news) return no_grade(fmt::format("no grade in {} minutes", kMostWait.count()));
  return no_grade(fmt::format("the grader ended on it without a grade (signal {})",
                              WIFSIGNALED(status) ? WTERMSIG(status) : 0));
}

}  // namespace

bool is_same_card(const grade::CardFacts& a, const grade::CardFacts& b) {
  return a.device == b.device && a.driver == b.driver;
}

grade::CardFacts facts_of(const std::vector<grade::CardFacts>& cards, const std::string& device,
                          const std::string& driver) {
  grade::CardFacts here{device, driver, {}, {}};
  const auto found = std::ranges::find_if(
      cards, [&](const grade::CardFacts& one) { return is_same_card(one, here); });
  return found == cards.end() ? here : *found;
}

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
  add(course::find_root() / "labs");
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
    const auto task = base::decode<Task>(*message);
    if (!task || task->files.empty()) throw base::ToolError("a message that is not a task");
    const auto outcome = judge.answer(*task);
    if (!base::write_message(STDOUT_FILENO, base::encode(outcome))) return 3;
    if (is_trouble(outcome.result, Trouble::Kind::kJudgeFailed)) return 3;
  }
  return 0;
}

namespace {

/// The command of the process, for the command line's model.
constexpr const char* kWorkerCommand = "class-worker";

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

// The standard error of a judge. If the processes around bubblewrap are killed while it starts, one
// of its processes waits forever. It must not keep the pipe of the run's own output open.
class JudgeMessages {
 public:
  JudgeMessages() : file_(memfd_create("warpgrade-judge", MFD_CLOEXEC)) {
    if (file_ < 0) {
      throw base::ToolError(fmt::format("no file for a judge: {}", std::strerror(errno)));
    }
  }
  JudgeMessages(const JudgeMessages&) = delete;
  JudgeMessages& operator=(const JudgeMessages&) = delete;
  ~JudgeMessages() {
    pass_on();
    close(file_);
  }
  int file() const { return file_; }

  /// Prints what is new.
  void pass_on() {
    std::array<char, 4096> piece{};
    while (true) {
      const auto count = pread(file_, piece.data(), piece.size(), done_);
      if (count <= 0) return;
      std::fwrite(piece.data(), 1, static_cast<std::size_t>(count), stderr);
      done_ += count;
    }
  }

 private:
  int file_;
  off_t done_ = 0;
};

class JudgeProcess {
 public:
  JudgeProcess(run::Backend backend, bool bubblewrap)
      : child_([this, words = words_of_judge(backend, bubblewrap)](const auto& ends) {
          prctl(PR_SET_PDEATHSIG, SIGKILL);
          dup2(messages_.file(), STDERR_FILENO);
          return base::become_program(words, ends);
        }) {}

  /// Returns nullopt if the judge has ended. Throws base::ToolError if it reports that it cannot
  /// judge.
  std::optional<Outcome> judge(const Task& task) {
    if (!child_.send(base::encode(task))) return std::nullopt;
    const auto message = child_.receive(base::kNoTimeout, kMostMessageBytes);
    messages_.pass_on();
    if (!message) return std::nullopt;
    auto outcome = base::decode<Outcome>(*message);
    if (!outcome || outcome->key != task.key) return std::nullopt;
    if (is_trouble(outcome->result, Trouble::Kind::kJudgeFailed)) {
      throw base::ToolError(outcome->trouble()->why);
    }
    return outcome;
  }

 private:
  JudgeMessages messages_;
  base::ForkedChild child_;  // Ends before its last messages are passed on.
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
