// SPDX-License-Identifier: Apache-2.0
// Reads keys from a terminal one at a time, without echo. The destructor restores the terminal's
// settings, and so does a signal that ends or stops the program. After a stop the settings for keys
// return.
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
