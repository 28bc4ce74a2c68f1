// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/worker.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

}  // namespace warpgrade::gpu
