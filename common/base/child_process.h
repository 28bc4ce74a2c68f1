// SPDX-License-Identifier: Apache-2.0
// Exchanges messages with child processes through a pipe or a socket, and waits for their end.
//
// A message is its size in 64 bits, followed by its bytes. ForkedChild is a child of our own.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::base {

inline constexpr double kNoTimeout = -1;

/// Returns false if the other end is closed or accepts no data for `timeout` seconds. Only a socket
/// detects such a timeout in the middle of a message.
bool write_message(int descriptor, std::string_view message, double timeout = kNoTimeout);

/// Returns nullopt if the other end is closed before the end of the message, is silent for
/// `timeout` seconds, or announces more than `most_bytes`.
std::optional<std::string> read_message(int descriptor, double timeout = kNoTimeout,
                                        std::uint64_t most_bytes = UINT64_MAX);

/// Waits for the end of `child`. Returns its status as waitpid() does, or -1 if it was already
/// waited for.
int wait_for(pid_t child);

// A child process that exchanges messages (child_process.h) with this one.
//
// Messages to the child use a socket: a write to a child that has ended raises no SIGPIPE, and a
// write to a child that does not read times out. Messages from the child use a pipe, because a
// confined child may not send to sockets.

class ForkedChild {
 public:
  /// The child's ends of both channels. A program that the child executes inherits neither.
  struct Ends {
    int in = -1;
    int out = -1;
  };
  /// Runs in the child and returns its exit code. An exception ends the child with 1.
  using Body = std::function<int(const Ends&)>;

  /// Calls `fork_with` instead of fork(). Throws base::ToolError if the system cannot create a
  /// process.
  explicit ForkedChild(const Body& body, pid_t (*fork_with)() = fork);
  /// Kills the child if it still runs.
  ~ForkedChild();
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;

  /// See write_message().
  bool send(std::string_view message, double timeout = kNoTimeout);
  /// See read_message().
  std::optional<std::string> receive(double timeout = kNoTimeout,
                                     std::uint64_t most_bytes = UINT64_MAX);
  /// Whether the child writes something or ends within `timeout` seconds.
  bool has_news(double timeout) const;

  /// Waits for the end of the child. Returns its status as waitpid() does.
  int wait();
  /// Kills the child first.
  int end();
  pid_t process() const { return child_; }

 private:
  pid_t child_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::optional<int> status_;  // Once the child has ended and was waited for.
};

/// The first program `name` in the folders of PATH; empty if none of them has it.
std::filesystem::path find_program(const std::string& name);

/// In the child: becomes a program whose standard input and output are `ends`. Returns 127 if that
/// fails.
int become_program(std::vector<std::string> words, const ForkedChild::Ends& ends);

}  // namespace warpgrade::base
