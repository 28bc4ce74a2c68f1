// SPDX-License-Identifier: Apache-2.0
// Lets one process at a time write a book; the lock ends with its process, however that ends.
#pragma once

#include <filesystem>

namespace warpgrade::grader::class_book {

class Lock {
 public:
  /// Throws base::UsageError if another process holds the lock, base::ToolError if locking fails.
  explicit Lock(const std::filesystem::path& file);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace warpgrade::grader::class_book
