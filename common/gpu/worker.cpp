// SPDX-License-Identifier: Apache-2.0
// A child process that uses the GPU and answers typed requests.
//
// A faulting kernel makes the device unusable for its process, and an endless kernel can only be
// stopped with its process. Therefore the program itself never calls the driver. It forks a
// worker that does, and starts a new one when that is lost.
#include "common/gpu/worker.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/base/child_process.h"
#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/wire.h"

namespace warpgrade::gpu {
namespace {

[[noreturn]] void serve_messages(const base::ForkedChild::Ends& ends,
                                 const std::function<Worker::Handler()>& start) {
  const Worker::Handler handler = start();
  while (const auto message = base::read_message(ends.in)) {
    const Worker::Answer answer = handler(*message);
    if (!base::write_message(ends.out, answer.bytes) || answer.last) break;
  }
  _exit(0);  // without clean-up, because the device may be lost
}

// If a worker held the program's end of another worker's channel, that worker would not notice the
// end of the program.
void close_all_but(const base::ForkedChild::Ends& ends) {
  const auto [low, high] =
      std::minmax({static_cast<unsigned>(ends.in), static_cast<unsigned>(ends.out)});
  close_range(STDERR_FILENO + 1, low - 1, 0);
  close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0U, 0);
}

// Redirects standard output to a file in memory; also standard error, where the driver reports
// asserts.
void capture_output() {
  const int file = memfd_create("printed", 0);
  if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(1);
  close(file);
}

// Launches are sequential, so one queue to the card is enough. The driver opens a context with one
// queue in a fraction of the time that the usual eight need, and it opens the contexts of several
// graders one after another: 32 grades, 4 at a time on each of two H200, took 15.5 s with eight and
// need 8.2 s with one (driver 580.159.04).
void ask_for_one_queue() { setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", /*overwrite=*/0); }

}  // namespace

Worker::Worker(const std::function<Handler()>& start)
    : child_([&](const base::ForkedChild::Ends& ends) -> int {
        close_all_but(ends);
        capture_output();
        ask_for_one_queue();
        serve_messages(ends, start);
      }) {}

std::optional<std::string> Worker::ask(const std::string& message, double timeout) {
  if (!child_.send(message, timeout)) return std::nullopt;
  return child_.receive(timeout);
}

std::string take_printed(std::size_t limit) {
  std::fflush(stdout);
  const off_t size = lseek(STDOUT_FILENO, 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(std::min(static_cast<std::size_t>(size), limit), '\0');
  const ssize_t count = pread(STDOUT_FILENO, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  if (static_cast<std::size_t>(size) > limit) {
    text += fmt::format("\n({} more bytes printed)\n", static_cast<std::size_t>(size) - limit);
  }
  if (ftruncate(STDOUT_FILENO, 0) != 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) != 0) return text;
  return text;
}

namespace {

Worker::Answer failure(WorkerStatus status, const std::string& text) {
  base::WireWriter answer;
  answer(status, text);
  return {answer.take(), false};
}

}  // namespace

Worker::Answer answer_or_failure(const std::function<Worker::Answer()>& make) {
  try {
    return make();
  } catch (const base::UsageError& error) {
    return failure(WorkerStatus::kUsageError, error.what());
  } catch (const std::exception& error) {
    return failure(WorkerStatus::kToolError, error.what());
  }
}

void fail_unknown_request() { throw base::ToolError("the GPU process got an unknown message"); }

void fail_garbled_reply(std::unique_ptr<Worker>& worker) {
  worker.reset();
  throw base::ToolError("a message of the GPU process is too short or garbled");
}

std::string exchange(std::unique_ptr<Worker>& worker, const std::string& request, double patience) {
  if (worker == nullptr) throw base::ToolError("the process that uses the GPU has ended");
  auto answer = worker->ask(request, patience);
  if (!answer) {
    worker.reset();
    throw base::ToolError("the process that uses the GPU has died or does not answer");
  }
  WorkerStatus status{};
  std::string text;
  base::WireReader reader(*answer);
  reader(status);
  if (!reader.is_ok()) fail_garbled_reply(worker);
  if (status == WorkerStatus::kDone) return *std::move(answer);
  reader(text);
  if (!reader.is_complete()) fail_garbled_reply(worker);
  if (status == WorkerStatus::kUsageError) throw base::UsageError(text);
  worker.reset();  // the device may be in any state
  throw base::ToolError(fmt::format("the GPU failed: {}", text));
}

}  // namespace warpgrade::gpu
