// SPDX-License-Identifier: Apache-2.0
// The GPU of this machine: facts from the driver, and the lock by which graders take turns.
//
// Everything is queried at run time, so it is available for every card, with or without a
// profile. The lock is on a file, and the system releases it when its process ends in any way. It
// only separates users of this program; the Monitor notices other work on the card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/gpu/platform.h"

namespace warpgrade::gpu {

struct DeviceInfo {
  std::string name;          ///< "NVIDIA H200".
  std::string architecture;  ///< "sm_90".
  std::uint64_t l2_bytes = 0;
  std::string bus;                ///< "0000:3b:00.0"; empty if the driver does not report it.
  std::uint32_t ordinal = 0;      ///< The driver's number of this GPU.
  std::uint32_t count = 1;        ///< Number of GPUs that the driver shows.
  std::uint32_t driver_cuda = 0;  ///< 12040: a driver for CUDA 12.4; 0: unknown.
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;

  // Limits; 0: unknown.
  std::uint32_t sm_count = 0;
  std::uint32_t max_threads_per_block = 0;
  std::uint32_t max_threads_per_sm = 0;
  std::uint32_t max_blocks_per_sm = 0;
  std::uint32_t registers_per_sm = 0;
  std::uint32_t shared_bytes_per_sm = 0;
  std::uint32_t shared_reserved_per_block = 0;
  std::uint32_t max_shared_bytes_per_block = 0;
  double sm_clock_hz = 0;

  // Memory.
  std::uint64_t memory_bytes = 0;
  std::uint64_t free_bytes = 0;        ///< When it was opened; 0: unknown.
  double memory_bytes_per_second = 0;  ///< Peak, from clock and width; 0: unknown.
  bool is_integrated = false;          ///< Shares its memory with the host.
  bool has_watchdog = false;           ///< Drives a display; the system stops long kernels.

  /// Whether it is a slice of a card (MIG); the driver's name for it shows that.
  bool is_slice() const;
};

inline auto wire_fields(DeviceInfo& d) {
  return std::tie(d.name, d.architecture, d.l2_bytes, d.bus, d.ordinal, d.count, d.driver_cuda,
                  d.compute_major, d.compute_minor, d.sm_count, d.max_threads_per_block,
                  d.max_threads_per_sm, d.max_blocks_per_sm, d.registers_per_sm,
                  d.shared_bytes_per_sm, d.shared_reserved_per_block, d.max_shared_bytes_per_block,
                  d.sm_clock_hz, d.memory_bytes, d.free_bytes, d.memory_bytes_per_second,
                  d.is_integrated, d.has_watchdog);
}

/// Queries GPU `ordinal` with the driver's handle `device`. Leaves `free_bytes` 0.
DeviceInfo device_info(const Driver& driver, int ordinal, int count, int device);

/// Fills in the memory bandwidth from NVML if the driver does not know it.
void add_bandwidth(DeviceInfo& info, const std::optional<Nvml>& nvml);

/// Remarks for readers of a measurement: which of several GPUs it is, and special properties (a
/// slice, the host's memory, a display).
std::vector<std::string> remarks(const DeviceInfo& info);

// Makes the graders on one machine take turns at timing: each holds a lock on the card while it
// measures.

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
