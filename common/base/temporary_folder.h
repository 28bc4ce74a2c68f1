// SPDX-License-Identifier: Apache-2.0
// A folder in TMPDIR for the files that another program reads and writes.
#pragma once

#include <filesystem>
#include <string>

namespace warpgrade::base {

/// Removed with its contents.
class TemporaryFolder {
 public:
  /// Its name begins with "warpgrade-" and `purpose`. Throws ToolError if it cannot be made.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpgrade::base
