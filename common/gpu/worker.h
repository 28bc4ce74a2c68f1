// SPDX-License-Identifier: Apache-2.0
// A child process that uses the GPU and answers messages.
//
// A faulting kernel makes the device unusable for its process, and an endless kernel can only be
// stopped with its process. Therefore the program itself never calls the driver. It forks a worker
// that does, and starts a new one when that is lost. The worker's standard output and standard
// error are a file in memory, so the answer can include the output of kernels.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "common/base/forked_child.h"

namespace warpgrade::gpu {

class Worker {
 public:
  /// Answers one message; setting `last` ends the process.
  struct Answer {
    std::string bytes;
    bool last = false;  ///< The worker ends right after this answer, without clean-up.
  };
  using Handler = std::function<Answer(const std::string&)>;

  /// Forks. The child calls `start` once, and the returned handler for every message. Throws
  /// base::ToolError if the system cannot create a process.
  explicit Worker(const std::function<Handler()>& start);

  /// Sends a message and waits for the answer. Returns nullopt if the worker ends without
  /// one or is silent for `timeout` seconds (negative: no limit); the worker is then
  /// unusable.
  std::optional<std::string> ask(const std::string& message, double timeout);

 private:
  base::ForkedChild child_;
};

/// In the worker: returns the text written to standard output and standard error since the last
/// call, at most `limit` bytes plus a note on the number of omitted bytes.
std::string take_printed(std::size_t limit);

}  // namespace warpgrade::gpu
