// SPDX-License-Identifier: Apache-2.0
// Child processes that exchange messages with this one, and the wait for their end.
//
// A message is its size in 64 bits, followed by its bytes. Messages to a child use a socket. So a
// write to an ended child raises no SIGPIPE, and a write to a child that does not read times out.
// Messages from a child use a pipe, because a confined child may not send to sockets.
#include "common/base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::base {
namespace {

bool is_socket(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && S_ISSOCK(found.st_mode);
}

// Whether `descriptor` becomes readable, or writable, within `timeout` seconds.
bool is_ready(int descriptor, short events, double timeout) {
  if (timeout < 0) return true;
  pollfd entry{descriptor, events, 0};
  int found = 0;
  do {
    found = poll(&entry, 1, static_cast<int>(timeout * 1e3));
  } while (found < 0 && errno == EINTR);
  return found > 0;
}

bool write_all(int descriptor, std::string_view bytes, double timeout) {
  // Otherwise a closed socket would end this process by SIGPIPE.
  const int flags = timeout < 0 ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT;
  const bool sends = is_socket(descriptor);
  while (!bytes.empty()) {
    if (!is_ready(descriptor, POLLOUT, timeout)) return false;
    const auto count = sends ? send(descriptor, bytes.data(), bytes.size(), flags)
                             : write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool read_all(int descriptor, char* bytes, std::size_t size, double timeout) {
  while (size > 0) {
    if (!is_ready(descriptor, POLLIN, timeout)) return false;
    const auto count = read(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

bool write_message(int descriptor, std::string_view message, double timeout) {
  const std::uint64_t size = message.size();
  const std::string_view head(reinterpret_cast<const char*>(&size), sizeof size);
  return write_all(descriptor, head, timeout) && write_all(descriptor, message, timeout);
}

std::optional<std::string> read_message(int descriptor, double timeout, std::uint64_t most_bytes) {
  std::uint64_t size = 0;
  if (!read_all(descriptor, reinterpret_cast<char*>(&size), sizeof size, timeout)) return {};
  if (size > most_bytes) return {};
  std::string out(size, '\0');
  if (!read_all(descriptor, out.data(), size, timeout)) return {};
  return out;
}

/// Whether `descriptor` has bytes, or its other end is closed, within `seconds`.
static bool is_readable(int descriptor, double seconds) {
  return is_ready(descriptor, POLLIN, seconds);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

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

/// Waits until the child writes or ends. A process that the child has started may outlive it, keep
/// the pipe open, and never write. Returns whether there is something to read.
static bool await_news(pid_t child, int from) {
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (process < 0) return true;  // a system without it waits for the pipe alone
  std::array<pollfd, 2> entries = {{{from, POLLIN, 0}, {process, POLLIN, 0}}};
  while (poll(entries.data(), entries.size(), -1) < 0 && errno == EINTR) {
  }
  close(process);
  return is_readable(from, 0);
}

std::optional<std::string> ForkedChild::receive(double timeout, std::uint64_t most_bytes) {
  if (timeout < 0 && !status_ && !await_news(child_, from_)) return {};
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

std::filesystem::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto file = std::filesystem::path(folder) / name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
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
