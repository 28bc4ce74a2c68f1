// SPDX-License-Identifier: Apache-2.0
// Work that runs ahead of its consumer on a small pool of threads: compilations, and results that
// are consumed in order.
// In: compile requests, or a number of tasks. Out: the result of each when the consumer needs it.
// A compilation is a child process of a few tenths of a second. Grading begins all of them at the
// start, so most are done when it needs them. Tasks that have not begun when the consumer stops
// never run.
#include "grader/cases/work_ahead.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "common/compile/compiler.h"

namespace warpgrade::grader::cases {
namespace {

// Everything that the result depends on; \0 cannot be part of a name.
std::string key_of(const compile::CompileRequest& request) {
  std::string key = request.file + '\0' + request.folder.string() + '\0' + request.architecture;
  key += '\0' + request.root.string();
  for (const auto& folder : request.include_folders) key += '\0' + folder.string();
  key += '\0';
  for (const auto& name : request.instantiations) key += '\0' + name;
  return key + '\0' + '\0' + request.source;
}

}  // namespace

Compilations::Compilations(Compile compile, unsigned threads)
    : compile_(std::move(compile)), threads_(std::max(threads, 1U)) {}

Compilations::~Compilations() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
  }
  rest();
}

void Compilations::rest() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
  workers_.clear();
  stopping_ = false;
}

void Compilations::work() {
  while (true) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;  // it stops
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();  // get() rethrows its exceptions
  }
}

const std::shared_future<compile::Result>& Compilations::entry(
    const compile::CompileRequest& request) {
  auto key = key_of(request);
  const std::lock_guard lock(mutex_);
  auto [found, is_new] = results_.try_emplace(std::move(key));
  if (is_new) {
    Task task([this, request] { return compile_(request); });
    found->second = task.get_future().share();
    queue_.push_back(std::move(task));
    while (workers_.size() < threads_) workers_.emplace_back([this] { work(); });
    wake_.notify_one();
  }
  return found->second;
}

void Compilations::begin(const compile::CompileRequest& request) { entry(request); }

const compile::Result& Compilations::get(const compile::CompileRequest& request) {
  return entry(request).get();
}

}  // namespace warpgrade::grader::cases
