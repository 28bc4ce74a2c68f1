// SPDX-License-Identifier: Apache-2.0
#include "common/base/forked_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "common/base/error.h"

namespace warpgrade::base {
namespace {

[[noreturn]] void be_child(const ForkedChild::Body& body, const ForkedChild::Ends& ends) {
  try {
    _exit(body(ends));
  } catch (...) {
    _exit(1);
  }
}

}  // namespace

ForkedChild::ForkedChild(const Body& body, pid_t (*fork_with)()) {
  const auto fail = [this](int error) {
    for (const int end : {to_, from_}) close(end);
    throw ToolError(fmt::format("no child process can be started: {}", std::strerror(error)));
  };
  std::array<int, 2> down = {-1, -1};
  std::array<int, 2> up = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, down.data()) != 0) fail(errno);
  to_ = down[0];
  if (pipe2(up.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    close(down[1]);
    fail(error);
  }
  from_ = up[0];
  std::fflush(nullptr);  // else the child would write the buffered output again
  child_ = fork_with();
  if (child_ == 0) {
    // With a copy of these ends, the child would not notice the end of this process.
    for (const int end : {to_, from_}) close(end);
    be_child(body, {down[1], up[1]});
  }
  const int error = errno;
  for (const int end : {down[1], up[1]}) close(end);
  if (child_ < 0) fail(error);
}

ForkedChild::~ForkedChild() {
  for (const int end : {to_, from_}) close(end);
  end();
}

bool ForkedChild::send(std::string_view message, double timeout) {
  return write_message(to_, message, timeout);
}

std::optional<std::string> ForkedChild::receive(double timeout, std::uint64_t most_bytes) {
  return read_message(from_, timeout, most_bytes);
}

bool ForkedChild::has_news(double timeout) const { return is_readable(from_, timeout); }

int ForkedChild::wait() {
  if (!status_) status_ = wait_for(child_);
  return *status_;
}

int ForkedChild::end() {
  if (!status_) kill(child_, SIGKILL);
  return wait();
}

int become_program(std::vector<std::string> words, const ForkedChild::Ends& ends) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  dup2(ends.in, STDIN_FILENO);
  dup2(ends.out, STDOUT_FILENO);
  execv(pointers[0], pointers.data());
  return 127;
}

}  // namespace warpgrade::base
