// SPDX-License-Identifier: Apache-2.0
// What the driver, and the management library where there is one, say of a GPU.
//
// In: the driver's table and the number of a GPU. Out: its name, its limits, its memory and what
// about it a reader of a measurement should know. All of it is asked for at run time, so it is
// there for every card, with or without a profile. A driver that does not know an attribute leaves
// its number 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/gpu/driver.h"
#include "common/gpu/nvml.h"

namespace warpgrade::gpu {

struct DeviceInfo {
  std::string name;          ///< "NVIDIA H200".
  std::string architecture;  ///< "sm_90".
  std::uint64_t l2_bytes = 0;
  std::string bus;                ///< "0000:3b:00.0"; empty where the driver cannot tell.
  std::uint32_t ordinal = 0;      ///< The driver's number of it ...
  std::uint32_t count = 1;        ///< ... of so many that it shows.
  std::uint32_t driver_cuda = 0;  ///< 12040: its driver is CUDA 12.4's; 0: not known.
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;

  // Limits; 0: not known.
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
  std::uint64_t free_bytes = 0;        ///< When it was opened; 0: not known.
  double memory_bytes_per_second = 0;  ///< Peak of its clock and width; 0: not known.
  bool is_integrated = false;          ///< Its memory is the host's.
  bool has_watchdog = false;           ///< It drives a display: long kernels are ended.

  /// Whether it is a part of a card (MIG), which the driver names after the part.
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

/// Asks about GPU `ordinal`, of which `device` is the driver's handle. `free_bytes` is left 0.
DeviceInfo device_info(const Driver& driver, int ordinal, int count, int device);

/// Fills in the bandwidth of the memory from NVML where the driver does not know it.
void add_bandwidth(DeviceInfo& info, const std::optional<Nvml>& nvml);

/// Sentences for a reader of what is measured on it: which of several GPUs it is, and what sets it
/// apart (a slice, the host's memory, a display).
std::vector<std::string> remarks(const DeviceInfo& info);

}  // namespace warpgrade::gpu
