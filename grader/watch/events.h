// SPDX-License-Identifier: Apache-2.0
// The events that `warpgrade watch` waits for: keys of a terminal, and saves of a submission's
// file or a header beside it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace warpgrade::grader::watch {

// Reads keys from a terminal one at a time, without echo. The destructor restores the terminal's
// settings, and so does a signal that ends or stops the program. After a stop the settings for keys
// return.

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

// Detects whether a submission's file, or a header beside it, was saved since the last look.
//
// Linux reports when a file in the folder is closed, renamed or deleted (inotify), and wakes the
// waiting program. The program then finds changes in the files themselves, by inode, size and time.
// A save by rename (as most editors do), a save in place, and several at once therefore look the
// same. A file that is still open for writing is not saved yet. Network folders send no
// notification; there, a file counts as saved when two looks, some time apart, find it unchanged.

class WatchedFiles {
 public:
  WatchedFiles();
  WatchedFiles(const WatchedFiles&) = delete;
  WatchedFiles& operator=(const WatchedFiles&) = delete;
  ~WatchedFiles();

  /// Becomes readable when something changes in the folder; -1 if the system cannot report changes.
  int descriptor() const { return descriptor_; }
  /// Watches `file` from now on; it counts as changed.
  void watch(const std::filesystem::path& file);
  /// Reads all pending notifications.
  void drain();
  /// For callers that waited without a notification: a file unchanged since the last look is saved,
  /// too.
  void look();
  /// Whether the file or a header was saved since the last call that returned true.
  bool changed();
  /// Whether the file is there now.
  bool is_there() const;

 private:
  using State = std::map<std::string, std::string>;
  State state_now() const;
  /// Compares with the last save, now that there may be another.
  void notice();

  int descriptor_;
  int folder_ = -1;
  std::filesystem::path file_;
  bool is_changed_ = false;
  State state_;      ///< At the last save.
  State looked_at_;  ///< At the last look.
};

}  // namespace warpgrade::grader::watch
