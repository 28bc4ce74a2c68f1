// SPDX-License-Identifier: Apache-2.0
// One process at a time writes a book: a lock that goes with its process, whatever ends it.
#pragma once

#include <filesystem>

namespace warpgrade::grader {

class ClassLock {
 public:
  /// Throws base::UsageError if another process holds the lock, base::ToolError if locking fails.
  explicit ClassLock(const std::filesystem::path& file);
  ~ClassLock();
  ClassLock(const ClassLock&) = delete;
  ClassLock& operator=(const ClassLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace warpgrade::grader
