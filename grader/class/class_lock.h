// SPDX-License-Identifier: Apache-2.0
// Lets one process at a time write a book; the lock ends with its process, however that ends.
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
