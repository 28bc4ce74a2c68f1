// SPDX-License-Identifier: Apache-2.0
// Keys of a terminal, one at a time and not shown. The terminal is as before when this goes, and
// when a signal ends or stops the program; after a stop it is set again.
#pragma once

#include <optional>

namespace warpgrade::grader {

class Keyboard {
 public:
  /// Reads keys from standard input; if that is no terminal, there are none.
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();
  /// The terminal as it was before.
  void restore();

  /// To poll for input; -1 where there are no keys.
  int descriptor() const { return descriptor_; }
  /// The next key: '\0' for one that is no character, such as an arrow. Nothing where the terminal
  /// has gone.
  std::optional<char> next() const;

 private:
  int descriptor_ = -1;
};

}  // namespace warpgrade::grader
