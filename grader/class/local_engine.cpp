// SPDX-License-Identifier: Apache-2.0
#include "grader/class/local_engine.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/gpu/platform.h"
#include "grader/class/card_work.h"
#include "grader/class/worker_cores.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::size_t kMostFailures = 5;  // failed workers at which the engine gives up

}  // namespace

LocalEngine::~LocalEngine() {
  for (const auto& [child, worker] : running_) kill(child, SIGKILL);
  for (const auto& [child, worker] : running_) base::wait_for(child);
}

void LocalEngine::start() {
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
    if (place < cards_.size()) setenv(gpu::kGpuVariable, cards_[place].c_str(), 1);
    keep_to_core(place, workers_);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  running_[child] = {options.name, place};
}

void LocalEngine::keep_working() {
  if (failed_ >= kMostFailures) {
    throw base::ToolError(
        fmt::format("{} workers failed: mend the causes above and run the same command again; "
                    "it continues",
                    failed_));
  }
  while (running_.size() < workers_) start();
}

std::vector<std::string> LocalEngine::ended() {
  std::vector<std::string> out;
  int status = 0;
  for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
    const auto found = running_.find(child);
    if (found == running_.end()) continue;
    const bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    failed_ += ok || WIFSIGNALED(status) ? 0 : 1;
    out.push_back(found->second.name);
    running_.erase(found);
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
