// SPDX-License-Identifier: Apache-2.0
// Graders of one machine take turns at timing: each holds a lock on the card while it measures.
//
// A lock on a file, which the system gives back when its process ends, however it ends. It keeps
// apart those that use this program; who else computes on the card is for the Monitor to notice.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace warpgrade::gpu {

class DeviceLock {
 public:
  /// Waits until nobody else holds the lock on the card at PCI address `bus`, at most `patience`
  /// seconds, after which base::ToolError is thrown. `folder` holds the locks' files and is the
  /// same for all users of the machine.
  DeviceLock(const std::filesystem::path& folder, const std::string& bus, double patience);
  ~DeviceLock();
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;

 private:
  int file_ = -1;
};

/// Makes the lock's file in `folder` where it is not there, for a process that may make none
/// itself, and returns its path.
std::filesystem::path make_lock_file(const std::filesystem::path& folder, const std::string& bus);

/// The folder for temporary files, which all users share.
std::filesystem::path lock_folder();

}  // namespace warpgrade::gpu
