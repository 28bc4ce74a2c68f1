// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/keyboard.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

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

}  // namespace warpgrade::grader::watch
