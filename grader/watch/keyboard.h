// SPDX-License-Identifier: Apache-2.0
// Keys of a terminal, one at a time and not shown. The terminal is as before when this goes, and
// when a signal ends or stops the program; after a stop it is set again.
#pragma once

#include <optional>

namespace warpgrade::grader::watch {

class Keyboard {
 public:
  /// Reads keys from standard input if that is a terminal.
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();
  /// Restores the terminal's settings.
  void restore();

  /// For poll(); -1 without a keyboard.
  int descriptor() const { return descriptor_; }
  /// The next key: '\0' for a special key, such as an arrow. Nullopt if the terminal has
  /// closed.
  std::optional<char> next() const;

 private:
  int descriptor_ = -1;
};

}  // namespace warpgrade::grader::watch
