// SPDX-License-Identifier: Apache-2.0
#include "common/compile/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::compile {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }
  int get() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail(std::string_view what, int error) {
  throw base::ToolError(
      fmt::format("cannot run a child process: {}: {}", what, std::strerror(error)));
}

void fill(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("input", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::lseek(file, 0, SEEK_SET) < 0) fail("input", errno);
}

std::vector<std::string> child_environment(bool whole) {
  std::vector<std::string> kept;
  for (char** variable = environ; whole && *variable != nullptr; ++variable) {
    kept.emplace_back(*variable);
  }
  if (whole) return kept;
  for (const auto* variable : {"LD_LIBRARY_PATH", "PATH"}) {
    if (const char* value = std::getenv(variable))
      kept.push_back(fmt::format("{}={}", variable, value));
  }
  return kept;
}

// The texts in the form that posix_spawn requires for argv and envp.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

pid_t start(const Command& command, int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  // Signals that the grader ignores, for itself (SIGPIPE) or because its parent did (nohup:
  // SIGHUP), must still end a child: the signal shows who is at fault.
  sigset_t defaults;
  sigfillset(&defaults);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  auto variables = child_environment(command.whole_environment);
  std::vector<std::string> words = {command.program.string()};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  pid_t child = -1;
  const int error = posix_spawn(&child, words[0].c_str(), &actions, &attributes,
                                pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) fail(words[0], error);
  return child;
}

// Reads to the end of the output, or until time is up; stores the reason in `result`.
void read_output(int pipe, Patience patience, const Streams& streams, ChildResult& result) {
  std::array<char, 1 << 16> buffer;
  while (true) {
    pollfd waiting{pipe, POLLIN, 0};
    const bool is_last = patience.is_over();
    const int ready = patience.wait([&](std::chrono::milliseconds most) {
      return ::poll(&waiting, 1, static_cast<int>(most.count()));
    });
    if (ready < 0 && errno != EINTR) fail("poll", errno);
    if (ready <= 0 && is_last) {
      result.timed_out = true;
      return;
    }
    if (ready <= 0) continue;
    const auto count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("output", errno);
    if (count == 0) return;
    if (!streams.on_output({buffer.data(), static_cast<std::size_t>(count)})) {
      result.wrote_too_much = true;
      return;
    }
  }
}

std::chrono::milliseconds milliseconds(const timeval& time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec));
}

}  // namespace

ChildResult run_child(const Command& command, std::string_view input,
                      std::chrono::milliseconds time, const Clock& clock) {
  const Descriptor file(::memfd_create("warpgrade-job", MFD_CLOEXEC));
  if (file.get() < 0) fail("input", errno);
  fill(file.get(), input);
  std::string output;
  const auto keep = [&output](std::string_view piece) {
    output += piece;
    return output.size() <= kMaxOutputBytes;
  };
  auto result = stream_child(command, {file.get(), keep}, time, clock);
  result.output = std::move(output);
  return result;
}

ChildResult stream_child(const Command& command, const Streams& streams,
                         std::chrono::milliseconds time, const Clock& clock) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe", errno);
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);

  const pid_t child = start(command, streams.input, write_end.get());
  write_end.reset();

  ChildResult result;
  read_output(read_end.get(), {time, clock}, streams, result);
  // Its output has ended, or time is up: no process of its group survives this call.
  ::kill(-child, SIGKILL);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) fail("wait", errno);
  }
  result.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  result.cpu_time = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace warpgrade::compile
