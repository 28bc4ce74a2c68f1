// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/base/child_process.h"
#include "common/base/error.h"

namespace warpgrade::gpu {
namespace {

[[noreturn]] void serve_channel(int channel, const std::function<Worker::Handler()>& start) {
  const Worker::Handler handler = start();
  while (const auto message = base::read_message(channel)) {
    const Worker::Answer answer = handler(*message);
    if (!base::write_message(channel, answer.bytes) || answer.last) break;
  }
  _exit(0);
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

Worker::Worker(const std::function<Handler()>& start) {
  int channels[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0) {
    throw base::ToolError(fmt::format("no socket for the GPU process: {}", std::strerror(errno)));
  }
  std::fflush(nullptr);  // else the child would write the buffered output again
  child_ = fork();
  if (child_ < 0) {
    close(channels[0]);
    close(channels[1]);
    throw base::ToolError(fmt::format("no process for the GPU: {}", std::strerror(errno)));
  }
  if (child_ == 0) {
    // Close everything else: if a worker held the program's end of another worker's channel, that
    // worker would not notice the end of the program.
    const auto own = static_cast<unsigned>(channels[1]);
    close_range(STDERR_FILENO + 1, own - 1, 0);
    close_range(own + 1, ~0U, 0);
    try {
      capture_output();
      ask_for_one_queue();
      serve_channel(channels[1], start);
    } catch (...) {
      _exit(1);  // the handler reports errors as answers, so this is a lack of memory
    }
  }
  close(channels[1]);
  channel_ = channels[0];
}

Worker::~Worker() {
  close(channel_);
  base::end_child(child_);
}

std::optional<std::string> Worker::ask(const std::string& message, double timeout) {
  if (!base::write_message(channel_, message, timeout)) return std::nullopt;
  return base::read_message(channel_, timeout);
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
