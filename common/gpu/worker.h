// SPDX-License-Identifier: Apache-2.0
// A child process that answers messages: where the GPU is used.
//
// A kernel that faults takes the device away from its process for good, and one that never ends
// can only be stopped with its process. So the program itself never touches the driver; it forks a
// worker that does, and starts another one when that is lost. The worker's standard output
// and standard error are a file in memory, so that what kernels print comes back with the answer.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace warpgrade::gpu {

class Worker {
 public:
  /// Answers one message; may end the process itself by answering with `last` set.
  struct Answer {
    std::string bytes;
    bool last = false;  ///< The worker ends after this answer, at once and without clean-up.
  };
  using Handler = std::function<Answer(const std::string&)>;

  /// Forks; the child calls `start` once and the handler that it returns for every message.
  /// Throws base::ToolError where there can be no new process.
  explicit Worker(const std::function<Handler()>& start);
  /// Kills the child if it still runs.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Sends a message and waits for the answer; nothing where the worker has ended without one or
  /// says nothing for `timeout` seconds (below 0: it is waited for for ever). Then the worker is of
  /// no more use.
  std::optional<std::string> ask(const std::string& message, double timeout);

 private:
  pid_t child_ = -1;
  int channel_ = -1;
};

/// Takes the text written to standard output and standard error since the last call, in the worker;
/// at most `limit` bytes and a note on how many are left out.
std::string take_printed(std::size_t limit);

}  // namespace warpgrade::gpu
