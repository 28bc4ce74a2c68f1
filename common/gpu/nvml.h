// SPDX-License-Identifier: Apache-2.0
// The state of the card from NVIDIA's management library: its clocks, the reasons for low clocks,
// and other users of the card.
//
// Loaded at run time like the driver, from libnvidia-ml.so.1. If the library is missing or fails,
// the conditions are unknown, and callers report that. This file declares the parts of its stable
// binary interface that we use (nvml.h, CUDA 13.0).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade::gpu {

struct NvmlProcess {  ///< nvmlProcessInfo_t.
  unsigned id = 0;
  unsigned long long memory = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

// Name in the table, symbol in the library, type. Rows marked OPTIONAL may be missing.
#define WARPGRADE_NVML_FUNCTIONS(ROW, OPTIONAL)                                        \
  ROW(init, "nvmlInit_v2", int (*)())                                                  \
  ROW(driver_version, "nvmlSystemGetDriverVersion", int (*)(char*, unsigned))          \
  ROW(device_by_bus, "nvmlDeviceGetHandleByPciBusId_v2", int (*)(const char*, void**)) \
  ROW(clock, "nvmlDeviceGetClockInfo", int (*)(void*, int, unsigned*))                 \
  ROW(clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons",                      \
      int (*)(void*, unsigned long long*))                                             \
  OPTIONAL(max_clock, "nvmlDeviceGetMaxClockInfo", int (*)(void*, int, unsigned*))     \
  OPTIONAL(memory_width, "nvmlDeviceGetMemoryBusWidth", int (*)(void*, unsigned*))     \
  ROW(processes, "nvmlDeviceGetComputeRunningProcesses_v3", int (*)(void*, unsigned*, NvmlProcess*))

struct Nvml {
#define WARPGRADE_NVML_MEMBER(name, symbol, ...) \
  using name##_type = __VA_ARGS__;               \
  name##_type name = nullptr;
  WARPGRADE_NVML_FUNCTIONS(WARPGRADE_NVML_MEMBER, WARPGRADE_NVML_MEMBER)
#undef WARPGRADE_NVML_MEMBER
};

/// nullopt if the library or one of its required functions is missing.
std::optional<Nvml> load_nvml(const char* library = "libnvidia-ml.so.1");

/// "580.159.04"; empty if unknown.
std::string driver_version(const std::optional<Nvml>& nvml);

/// The state of the card at one moment.
struct Conditions {
  bool known = false;
  std::uint32_t sm_mhz = 0;
  std::uint32_t memory_mhz = 0;
  std::uint64_t reasons = 0;          ///< Bits of NVML's clock throttle reasons.
  std::uint32_t other_processes = 0;  ///< Processes of others that compute on the card.
};

/// Whether heat, power supply or hardware slow the card down, which makes measurements meaningless.
/// A power cap that limits the clocks (bit 2) does not count, because large cards always run that
/// way.
bool is_slowed_down(const Conditions& conditions);

/// The reason, such as "too hot"; empty if the card is not slowed down.
std::string slowdown_text(const Conditions& conditions);

/// Monitors the card at PCI address `bus`. Processes count as ours if they are this one or satisfy
/// `is_ours`. If NVML does not list this process (other process numbers within a container), no
/// processes count.
class Monitor {
 public:
  Monitor(const std::optional<Nvml>& nvml, const std::string& bus,
          std::function<bool(pid_t)> is_ours);
  Conditions conditions() const;

 private:
  std::optional<Nvml> nvml_;
  void* device_ = nullptr;
  std::function<bool(pid_t)> is_ours_;
};

/// Whether the program that started this process also started `process`.
bool is_sibling(pid_t process);

}  // namespace warpgrade::gpu
