// SPDX-License-Identifier: Apache-2.0
// Makes the graders on one machine take turns at timing: each holds a lock on the card while
// it measures. The lock is on a file, and the system releases it when its process ends in
// any way. It only separates users of this program; the Monitor notices other work on the
// card.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace warpgrade::gpu {

class DeviceLock {
 public:
  /// Waits for the lock on the card at PCI address `bus`. Throws base::ToolError after
  /// `patience` seconds. `folder` contains the lock files and must be the same for all users of
  /// the machine.
  DeviceLock(const std::filesystem::path& folder, const std::string& bus, double patience);
  ~DeviceLock();
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;

 private:
  int file_ = -1;
};

/// Creates the lock file in `folder` if it is missing, for a process that may not create files, and
/// returns its path.
std::filesystem::path make_lock_file(const std::filesystem::path& folder, const std::string& bus);

/// The folder for temporary files that all users share.
std::filesystem::path lock_folder();

}  // namespace warpgrade::gpu
