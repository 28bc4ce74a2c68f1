// SPDX-License-Identifier: Apache-2.0
// The events that `warpgrade watch` waits for: pressed keys and saved files.
//
// In: a terminal, and a submission's file with the headers beside it. Out: descriptors for
// poll(), the next key, and whether a file was saved since the last look.
// Keys are read one at a time, without echo. Linux reports changes of a folder (inotify); the
// program then finds them in the files themselves, by inode, size and time.
#include "grader/watch/events.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace warpgrade::grader::watch {
namespace {

// Globals, since signal handlers have no parameters of ours. They may call tcsetattr() (POSIX).
termios modes_before;
termios modes_for_keys;

constexpr std::array<int, 4> kEndings = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void end_by(int signal) {
  tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void stop_for_a_while(int /*signal*/) {
  const int error = errno;
  tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
  raise(SIGSTOP);
  tcsetattr(STDIN_FILENO, TCSANOW, &modes_for_keys);
  errno = error;
}

void on_signal(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

Keyboard::Keyboard() {
  if (isatty(STDIN_FILENO) != 1 || tcgetattr(STDIN_FILENO, &modes_before) != 0) return;
  modes_for_keys = modes_before;
  modes_for_keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  modes_for_keys.c_cc[VMIN] = 1;
  modes_for_keys.c_cc[VTIME] = 0;
  for (const int signal : kEndings) on_signal(signal, end_by);
  on_signal(SIGTSTP, stop_for_a_while);
  tcsetattr(STDIN_FILENO, TCSANOW, &modes_for_keys);
  descriptor_ = STDIN_FILENO;
}

Keyboard::~Keyboard() { restore(); }

void Keyboard::restore() {
  if (descriptor_ < 0) return;
  tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
  for (const int signal : kEndings) on_signal(signal, SIG_DFL);
  on_signal(SIGTSTP, SIG_DFL);
  descriptor_ = -1;
}

std::optional<char> Keyboard::next() const {
  char byte = 0;
  const auto read_one = [&] { return read(descriptor_, &byte, 1) == 1; };
  const auto is_more = [this] {
    pollfd keys{descriptor_, POLLIN, 0};
    return poll(&keys, 1, 0) == 1;
  };
  if (!read_one()) return std::nullopt;
  constexpr char kEscape = '\x1b';
  if (byte != kEscape) return byte;
  // A special key arrives as an escape, '[' or 'O', and bytes up to a letter or '~'.
  bool is_open = is_more() && read_one() && (byte == '[' || byte == 'O');
  while (is_open && is_more() && read_one()) is_open = byte < '@' || byte > '~';
  return '\0';
}

namespace {

namespace fs = std::filesystem;

bool is_header(const fs::path& file) {
  const auto ending = file.extension();
  return ending == ".cuh" || ending == ".h" || ending == ".hpp" || ending == ".inc";
}

// A text that changes with each save of the file; empty if it does not exist.
std::string mark_of(const fs::path& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return {};
  return fmt::format("{} {} {}.{}", found.st_ino, found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

}  // namespace

WatchedFiles::WatchedFiles() : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

WatchedFiles::~WatchedFiles() {
  if (descriptor_ >= 0) close(descriptor_);
}

void WatchedFiles::watch(const fs::path& file) {
  file_ = file;
  state_ = state_now();
  is_changed_ = true;
  if (descriptor_ < 0) return;
  if (folder_ >= 0) inotify_rm_watch(descriptor_, folder_);
  folder_ = inotify_add_watch(descriptor_, file.parent_path().c_str(),
                              IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
}

void WatchedFiles::drain() {
  std::array<char, 4096> events{};
  bool is_told = false;
  while (descriptor_ >= 0 && read(descriptor_, events.data(), events.size()) > 0) is_told = true;
  if (is_told) notice();
}

void WatchedFiles::look() {
  auto now = state_now();
  if (now == looked_at_) notice();
  looked_at_ = std::move(now);
}

WatchedFiles::State WatchedFiles::state_now() const {
  State out;
  out[file_.filename().string()] = mark_of(file_);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(file_.parent_path(), ignored)) {
    if (is_header(entry.path())) out[entry.path().filename().string()] = mark_of(entry.path());
  }
  return out;
}

void WatchedFiles::notice() {
  auto now = state_now();
  if (now == state_) return;
  state_ = std::move(now);
  is_changed_ = true;
}

bool WatchedFiles::changed() { return std::exchange(is_changed_, false); }

bool WatchedFiles::is_there() const {
  std::error_code ignored;
  return fs::is_regular_file(file_, ignored);
}

}  // namespace warpgrade::grader::watch
