// SPDX-License-Identifier: Apache-2.0
// The places where the workers of a class run: this machine, or an array of Slurm jobs.
//
// In: the command of a worker, and tasks in a spool. Out: running workers, and the names of those
// that have ended.
// Processes of this machine end with the one that started them. Slurm's jobs pull tasks from a
// folder that all nodes share. The claims of a job that was preempted, cancelled or lost with its
// node become tasks again.
#include "grader/class/engines.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/compile/child.h"
#include "common/gpu/platform.h"
#include "grader/class/spool.h"
#include "grader/class/worker.h"
#include "grader/course/course.h"
#include "grader/text/files.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::class_book {

std::optional<int> core_of_worker(const cpu_set_t& allowed, std::size_t place,
                                  std::size_t workers) {
  const auto cores = static_cast<std::size_t>(CPU_COUNT(&allowed));
  if (cores == 0 || workers < cores) return std::nullopt;
  auto left = place % cores;
  int core = 0;
  while (!CPU_ISSET(core, &allowed) || left-- != 0) ++core;
  return core;
}

std::size_t free_place(const std::vector<std::size_t>& busy, std::size_t places) {
  std::size_t place = 0;
  while (place < places && std::ranges::find(busy, place) != busy.end()) ++place;
  return place;
}

void keep_to_core(std::size_t place, std::size_t workers) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;  // more cores than the set can hold
  const auto core = core_of_worker(cores, place, workers);
  if (!core) return;
  CPU_ZERO(&cores);
  CPU_SET(*core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);  // without it the judge is only slower
}

std::vector<std::string> places_on(const std::vector<Card>& cards) {
  // Eight workers of an H200 grade no more files per second than four (docs/performance.md).
  constexpr std::size_t kMostWorkers = 4;
  std::vector<std::string> out;
  for (std::size_t round = 0; round < kMostWorkers; ++round) {
    for (const auto& card : cards) {
      if (round < std::max<std::size_t>(card.grades, 1)) out.push_back(card.number);
    }
  }
  return out;
}

namespace {

constexpr std::size_t kMostFailures = 5;  // failed workers at which the engine gives up

class LocalEngine : public Engine {
 public:
  LocalEngine(WorkerOptions options, std::size_t workers, std::vector<std::string> cards)
      : options_(std::move(options)),
        workers_(cards.empty() ? workers : std::min(workers, cards.size())),
        cards_(std::move(cards)) {}
  LocalEngine(const LocalEngine&) = delete;
  LocalEngine& operator=(const LocalEngine&) = delete;
  ~LocalEngine() override {
    for (const auto& [child, worker] : running_) kill(-child, SIGKILL);
    for (const auto& [child, worker] : running_) base::wait_for(child);
  }

  void keep_working() override {
    if (failed_ >= kMostFailures) {
      throw base::ToolError(
          fmt::format("{} workers failed: mend the causes above and run the same command again; "
                      "it continues",
                      failed_));
    }
    while (running_.size() < workers_) start();
  }

  std::vector<std::string> ended() override {
    std::vector<std::string> out;
    for (auto it = running_.begin(); it != running_.end();) {
      siginfo_t about{};
      const auto id = static_cast<id_t>(it->first);
      const bool has_ended =
          waitid(P_PID, id, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid != 0;
      if (!has_ended) {
        ++it;
        continue;
      }
      // A killed worker may leave processes behind. Until the worker is reaped, its number cannot
      // be reused, so the group contains only its own processes.
      kill(-it->first, SIGKILL);
      base::wait_for(it->first);
      failed_ += about.si_code == CLD_EXITED && about.si_status != 0 ? 1 : 0;
      out.push_back(it->second.name);
      it = running_.erase(it);
    }
    return out;
  }

  bool is_busy() const override { return !running_.empty(); }

 private:
  void start() {
    auto options = options_;
    options.name = fmt::format("local{}-{}", ++started_, getpid());
    options.local = true;
    auto words = worker_words(options);
    words.insert(words.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::vector<std::size_t> busy;
    for (const auto& [process, other] : running_) busy.push_back(other.place);
    const auto place = free_place(busy, workers_);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0)
      throw base::ToolError("no worker can be started: there is no more room for processes");
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(3);  // the parent ended before prctl()
      setpgid(0, 0);
      // A terminal may be set to stop processes of other groups that write to it.
      signal(SIGTTOU, SIG_IGN);
      if (place < cards_.size()) setenv(gpu::kGpuVariable, cards_[place].c_str(), 1);
      keep_to_core(place, workers_);
      execv(pointers[0], pointers.data());
      _exit(127);
    }
    setpgid(child, child);  // here, too: the child may be slow
    running_[child] = {options.name, place};
  }

  struct Running {
    std::string name;
    std::size_t place = 0;  // Number among the workers.
  };
  WorkerOptions options_;
  std::size_t workers_;
  std::vector<std::string> cards_;
  std::size_t started_ = 0;
  std::size_t failed_ = 0;
  std::map<pid_t, Running> running_;
};

namespace fs = std::filesystem;

constexpr std::chrono::seconds kSlurmPatience{60};
constexpr long long kAskEvery = 1000;         // milliseconds
constexpr std::size_t kMostSubmissions = 50;  // submitted arrays before the engine gives up

// The output of a Slurm command; nullopt if it fails, as it may when the controller is busy.
std::optional<std::string> slurm_output(const std::string& program,
                                        const std::vector<std::string>& arguments) {
  const compile::Command command{"/usr/bin/" + program, arguments, true};
  const auto child = compile::run_child(command, {}, kSlurmPatience);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0) return std::nullopt;
  return child.output;
}

// One quoted word of a shell's script.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string worker_name(const std::string& job, std::size_t task) {
  return fmt::format("slurm{}-{}", job, task);
}

// Adds the tasks of "3", "2-4" or "2-4,7%2".
void add_tasks(std::string_view list, const std::string& job, std::size_t workers,
               std::set<std::string>& out) {
  list = list.substr(0, list.find('%'));
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    const auto part = list.substr(0, comma);
    const auto dash = part.find('-');
    const auto first = text::parse_count(part.substr(0, dash)).value_or(0);
    const auto last = dash == std::string_view::npos
                          ? first
                          : text::parse_count(part.substr(dash + 1)).value_or(first);
    for (auto task = first; task <= std::min<std::uint64_t>(last, workers); ++task) {
      out.insert(worker_name(job, task));
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

long long milliseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

std::set<std::string> slurm_workers(const std::string& squeue, const std::string& job,
                                    std::size_t workers) {
  static constexpr std::array<std::string_view, 9> kEnded = {
      "COMPLETED", "FAILED",    "CANCELLED",     "TIMEOUT", "NODE_FAIL",
      "PREEMPTED", "BOOT_FAIL", "OUT_OF_MEMORY", "DEADLINE"};
  std::set<std::string> out;
  std::istringstream lines(squeue);
  std::string id;
  std::string state;
  while (lines >> id >> state) {
    if (!id.starts_with(job + "_") || std::ranges::find(kEnded, state) != kEnded.end()) continue;
    std::string_view tasks = std::string_view(id).substr(job.size() + 1);
    if (tasks.starts_with('[')) tasks = tasks.substr(1, tasks.find(']') - 1);
    add_tasks(tasks, job, workers, out);
  }
  return out;
}

std::string slurm_script(const WorkerOptions& options, const std::string& program,
                         const std::string& root, std::size_t workers) {
  auto words = worker_words(options);
  std::string command = quoted(program);
  for (const auto& word : words) {
    command += ' ';
    // The worker's name contains the job's number, which only the running job knows.
    command += word == options.name ? "\"slurm${SLURM_ARRAY_JOB_ID}-${SLURM_ARRAY_TASK_ID}\""
                                    : quoted(word);
  }
  const bool gpu = options.backend == run::Backend::kGpu;
  return fmt::format(
      "#!/bin/sh\n#SBATCH --job-name=warpgrade\n#SBATCH --array=1-{}\n#SBATCH --requeue\n"
      "#SBATCH --output={}/slurm-%A-%a.log\n{}export WARPGRADE_ROOT={}\nexec {}\n",
      workers, options.spool.string(), gpu ? "#SBATCH --gres=gpu:1\n" : "", quoted(root), command);
}

namespace {

class SlurmEngine : public Engine {
 public:
  SlurmEngine(WorkerOptions options, std::size_t workers)
      : options_(std::move(options)), workers_(workers) {
    if (!slurm_output("sbatch", {"--version"})) {
      throw base::ToolError(
          "--engine slurm: sbatch is not installed; run this on a submit host (on Debian: "
          "slurm-client)");
    }
    // Cancels the array of a killed run, since nothing else would release its claims.
    const auto known = options_.spool / "slurm_job";
    std::error_code ignored;
    if (fs::exists(known, ignored)) {
      slurm_output("scancel", {text::read_file(known, known.string())});
      fs::remove(known, ignored);
    }
  }

  SlurmEngine(const SlurmEngine&) = delete;
  SlurmEngine& operator=(const SlurmEngine&) = delete;
  ~SlurmEngine() override {
    if (job_.empty()) return;
    try {
      slurm_output("scancel", {job_});
    } catch (const base::ToolError&) {  // it ends by itself once no task is left
    }
  }

  // Submits the array, so that Slurm's delay overlaps the intake. Clears the spool of tasks.
  void prepare() override {
    Spool spool(options_.spool);
    spool.make();
    spool.clear_tasks();  // Those of a killed run; its array is cancelled.
    spool.announce();
    keep_working();
  }

  void keep_working() override {
    if (!job_.empty()) return;
    if (++submitted_ > kMostSubmissions) {
      throw base::ToolError(
          fmt::format("{} arrays of Slurm have ended and tasks are left: see {}/*.log",
                      kMostSubmissions, options_.spool.string()));
    }
    options_.name = "@";
    const auto script = options_.spool / "worker.sh";
    text::write_atomically(script,
                           slurm_script(options_, fs::read_symlink("/proc/self/exe").string(),
                                        course::find_root().string(), workers_));
    const auto output = slurm_output("sbatch", {"--parsable", script.string()});
    if (!output) {
      throw base::ToolError(
          fmt::format("sbatch has refused the array; try it by hand: sbatch {}", script.string()));
    }
    job_ = output->substr(0, output->find_first_of(";\n"));
    text::write_atomically(options_.spool / "slurm_job", job_);
    alive_.clear();
    for (std::size_t task = 1; task <= workers_; ++task) alive_.insert(worker_name(job_, task));
    asked_at_ = milliseconds_now();
  }

  std::vector<std::string> ended() override {
    std::vector<std::string> out;
    if (job_.empty() || milliseconds_now() - asked_at_ < kAskEvery) return out;
    asked_at_ = milliseconds_now();
    // squeue fails for a job that ended some minutes ago, and sacct is not always available. An
    // empty answer of a working controller means the same.
    const auto listed = slurm_output(
        "squeue", {"--noheader", "--array", "--states=all", "--format=%i %T", "--jobs=" + job_});
    if (!listed && !slurm_output("squeue", {"--noheader", "--format=%i", "--user=nobody"}))
      return out;
    const auto now = slurm_workers(listed.value_or(""), job_, workers_);
    std::ranges::set_difference(alive_, now, std::back_inserter(out));
    for (const auto& worker : out) alive_.erase(worker);
    if (alive_.empty()) job_.clear();
    return out;
  }

  bool is_busy() const override { return !job_.empty(); }

 private:
  WorkerOptions options_;
  std::size_t workers_;
  std::size_t submitted_ = 0;
  std::string job_;              // Running job array; empty: none.
  std::set<std::string> alive_;  // Workers that have not ended.
  long long asked_at_ = 0;       // Milliseconds of a steady clock, to limit queries to Slurm.
};

}  // namespace

std::unique_ptr<Engine> local_engine(WorkerOptions options, std::size_t workers,
                                     std::vector<std::string> cards) {
  return std::make_unique<LocalEngine>(std::move(options), workers, std::move(cards));
}

std::unique_ptr<Engine> slurm_engine(WorkerOptions options, std::size_t workers) {
  return std::make_unique<SlurmEngine>(std::move(options), workers);
}

}  // namespace warpgrade::grader::class_book
