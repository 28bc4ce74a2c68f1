// SPDX-License-Identifier: Apache-2.0
// Whether a submission's file, or a header beside it, was saved since it was last looked at.
//
// Linux tells when a file in the folder is closed, renamed or deleted (inotify), which wakes who
// waits; what changed is then found by the files themselves, by number, size and time. So a save by
// rename, as most editors do it, one in place, and many at once are the same. A file that is still
// being written is not a saved one. Of a folder on a network nothing is told: there a file is saved
// when two looks, some time apart, find it the same.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace warpgrade::grader {

class WatchedFiles {
 public:
  WatchedFiles();
  WatchedFiles(const WatchedFiles&) = delete;
  WatchedFiles& operator=(const WatchedFiles&) = delete;
  ~WatchedFiles();

  /// Becomes readable when something changes in the folder; -1 where the system cannot tell.
  int descriptor() const { return descriptor_; }
  /// From now on it is about `file`, which counts as changed.
  void watch(const std::filesystem::path& file);
  /// Takes what the system has told.
  void drain();
  /// For who waited and was told nothing: what is as it was at the last look was saved, too.
  void look();
  /// Whether the file or a header was saved since this last said so.
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

}  // namespace warpgrade::grader
