// SPDX-License-Identifier: Apache-2.0
// External services of the GPU path: the CUDA driver, the management library NVML, a clock, and a
// limit on the silence of worker processes. Tests supply their own.
//
// The program builds without a toolkit. This file declares the few types and constants of the two
// stable binary interfaces that we need (the driver's; platform.h, CUDA 13.0). If the management
// library is missing or fails, the card's conditions are unknown, and callers report that.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"

namespace warpgrade::gpu {

// The CUDA driver as a table of functions, filled from libcuda.so.1 at run time.
//
// The program starts and works without a driver and builds without a toolkit, so this file declares
// the few types and constants of the driver's binary interface that we need (they are stable: CUDA
// keeps old symbols working). Tests can fill a table themselves. Every call goes through
// DRIVER_CALL, which turns a failure into a DriverError with file, line, call and error name.

using Status = int;  ///< CUresult; 0 is success.
using DevicePointer = std::uint64_t;
using Handle = void*;  ///< Context, module, function, event or stream.

constexpr Status kSuccess = 0;
constexpr Status kInvalidValue = 1;
constexpr Status kNotReady = 600;

/// The parts of CUdevice_attribute, CUfunction_attribute and CUlimit that we use (cuda.h, CUDA
/// 13.0).
enum DeviceAttribute {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxBlockY = 3,
  kMaxBlockZ = 4,
  kMaxGridX = 5,
  kMaxGridY = 6,
  kMaxGridZ = 7,
  kClockKilohertz = 13,
  kMultiprocessors = 16,
  kHasWatchdog = 17,
  kIsIntegrated = 18,
  kMemoryClockKilohertz = 36,
  kMemoryWidthBits = 37,
  kL2CacheSize = 38,
  kMaxThreadsPerSm = 39,
  kComputeMajor = 75,
  kComputeMinor = 76,
  kSharedPerSm = 81,
  kRegistersPerSm = 82,
  kMaxSharedPerBlock = 97,  // with opt-in
  kMaxBlocksPerSm = 106,
  kSharedReservedPerBlock = 111,
};
enum FunctionAttribute {
  kFunctionMaxThreads = 0,
  kFunctionMaxDynamicShared = 8,
  kFunctionSharedCarveout = 9,  // preferred percentage of the L1 cache's memory
};
enum Limit { kPrintfFifoSize = 1, kMallocHeapSize = 2 };

/// CUlaunchAttribute with the extents of clusters as its value.
struct ClusterAttribute {
  std::uint64_t id = 4;  ///< CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, and padding.
  std::array<unsigned, 16> extents{};
};

/// CUlaunchConfig.
struct LaunchConfig {
  std::array<unsigned, 3> grid{};
  std::array<unsigned, 3> block{};
  unsigned shared_bytes = 0;
  Handle stream = nullptr;
  ClusterAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

// Name in the table, symbol in the library, type. Rows marked OPTIONAL may be missing.
#define WARPGRADE_DRIVER_FUNCTIONS(ROW, OPTIONAL)                                              \
  ROW(init, "cuInit", Status (*)(unsigned))                                                    \
  ROW(get_error_name, "cuGetErrorName", Status (*)(Status, const char**))                      \
  ROW(device_get_count, "cuDeviceGetCount", Status (*)(int*))                                  \
  ROW(device_get, "cuDeviceGet", Status (*)(int*, int))                                        \
  ROW(device_get_name, "cuDeviceGetName", Status (*)(char*, int, int))                         \
  ROW(device_get_attribute, "cuDeviceGetAttribute", Status (*)(int*, int, int))                \
  OPTIONAL(device_total_memory, "cuDeviceTotalMem_v2", Status (*)(std::size_t*, int))          \
  OPTIONAL(driver_version, "cuDriverGetVersion", Status (*)(int*))                             \
  OPTIONAL(memory_info, "cuMemGetInfo_v2", Status (*)(std::size_t*, std::size_t*))             \
  OPTIONAL(device_get_bus, "cuDeviceGetPCIBusId", Status (*)(char*, int, int))                 \
  ROW(context_retain, "cuDevicePrimaryCtxRetain", Status (*)(Handle*, int))                    \
  ROW(context_set_current, "cuCtxSetCurrent", Status (*)(Handle))                              \
  ROW(context_set_limit, "cuCtxSetLimit", Status (*)(int, std::size_t))                        \
  ROW(context_synchronize, "cuCtxSynchronize", Status (*)())                                   \
  OPTIONAL(context_reset, "cuDevicePrimaryCtxReset_v2", Status (*)(int))                       \
  OPTIONAL(reset_persisting_l2, "cuCtxResetPersistingL2Cache", Status (*)())                   \
  ROW(module_load_data, "cuModuleLoadData", Status (*)(Handle*, const void*))                  \
  ROW(module_unload, "cuModuleUnload", Status (*)(Handle))                                     \
  ROW(module_get_function, "cuModuleGetFunction", Status (*)(Handle*, Handle, const char*))    \
  ROW(module_get_global, "cuModuleGetGlobal_v2",                                               \
      Status (*)(DevicePointer*, std::size_t*, Handle, const char*))                           \
  ROW(function_get_attribute, "cuFuncGetAttribute", Status (*)(int*, int, Handle))             \
  ROW(function_set_attribute, "cuFuncSetAttribute", Status (*)(Handle, int, int))              \
  OPTIONAL(function_get_parameter, "cuFuncGetParamInfo",                                       \
           Status (*)(Handle, std::size_t, std::size_t*, std::size_t*))                        \
  ROW(memory_allocate, "cuMemAlloc_v2", Status (*)(DevicePointer*, std::size_t))               \
  ROW(memory_free, "cuMemFree_v2", Status (*)(DevicePointer))                                  \
  ROW(copy_to_device, "cuMemcpyHtoD_v2", Status (*)(DevicePointer, const void*, std::size_t))  \
  ROW(copy_to_host, "cuMemcpyDtoH_v2", Status (*)(void*, DevicePointer, std::size_t))          \
  ROW(copy_on_device, "cuMemcpyDtoDAsync_v2",                                                  \
      Status (*)(DevicePointer, DevicePointer, std::size_t, Handle))                           \
  ROW(fill, "cuMemsetD8Async", Status (*)(DevicePointer, unsigned char, std::size_t, Handle))  \
  ROW(launch_kernel, "cuLaunchKernel",                                                         \
      Status (*)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                 Handle, void**, void**))                                                      \
  OPTIONAL(launch_cooperative, "cuLaunchCooperativeKernel",                                    \
           Status (*)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,      \
                      unsigned, Handle, void**))                                               \
  OPTIONAL(launch_extended, "cuLaunchKernelEx",                                                \
           Status (*)(const LaunchConfig*, Handle, void**, void**))                            \
  ROW(event_create, "cuEventCreate", Status (*)(Handle*, unsigned))                            \
  ROW(event_destroy, "cuEventDestroy_v2", Status (*)(Handle))                                  \
  ROW(event_record, "cuEventRecord", Status (*)(Handle, Handle))                               \
  ROW(event_query, "cuEventQuery", Status (*)(Handle))                                         \
  ROW(event_elapsed, "cuEventElapsedTime", Status (*)(float*, Handle, Handle))

/// Pointers to the driver's functions; the caller owns nothing.
class Driver {
 public:
#define WARPGRADE_MEMBER(name, symbol, ...) \
  using name##_type = __VA_ARGS__;          \
  name##_type name = nullptr;
  WARPGRADE_DRIVER_FUNCTIONS(WARPGRADE_MEMBER, WARPGRADE_MEMBER)
#undef WARPGRADE_MEMBER
};

/// The table filled from `library`, or a message to the user why that failed.
std::variant<Driver, std::string> load_driver(const char* library = "libcuda.so.1");

/// A call of the driver failed.
class DriverError : public base::ToolError {
 public:
  DriverError(Status status, const std::string& text) : ToolError(text), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

/// "CUDA_ERROR_ILLEGAL_ADDRESS", or the number if the driver has no name for it.
std::string error_name(const Driver& driver, Status status);

/// Throws DriverError "session.cpp:12: launch_kernel: CUDA_ERROR_..." unless `status` is success.
void check(const Driver& driver, Status status, const char* call, const char* file, int line);

#define DRIVER_CALL(driver, function, ...) \
  ::warpgrade::gpu::check((driver), (driver).function(__VA_ARGS__), #function, __FILE__, __LINE__)

// The state of the card from NVIDIA's management library: its clocks, the reasons for low clocks,
// and other users of the card.
//
// Loaded at run time like the driver, from libnvidia-ml.so.1. If the library is missing or fails,
// the conditions are unknown, and callers report that. This file declares the parts of its stable
// binary interface that we use (platform.h, CUDA 13.0).

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

/// Seconds of a monotonic clock.
double steady_seconds();

struct Platform {
  Driver driver;
  std::optional<Nvml> nvml;
  int ordinal = 0;  ///< The driver's number of the GPU.
  std::function<double()> now = steady_seconds;
  /// Longest silence of a worker in seconds, without the time of its kernels: it opens a device or
  /// moves gigabytes. Negative: no limit.
  double patience = 60;
};

/// Longest silence in seconds of a worker of `platform` whose kernels may need `kernel_seconds`;
/// negative: no limit.
double patience_for(const Platform& platform, double kernel_seconds);

/// The environment variable with the driver's number of the GPU.
inline constexpr const char* kGpuVariable = "WARPGRADE_GPU";

/// The services of this machine. `gpu` is the driver's number of the GPU; by default the variable
/// has it, or it is 0. Throws base::UsageError if the variable is not a number, and base::ToolError
/// with a reason for the user if they are unavailable.
Platform load_platform(std::optional<int> gpu = {});

// Explains an error that the driver reports after a kernel in plain language.
//
// After a fault the process cannot use the device: every later call returns the same error, even
// with a new context (seen on an H200, driver 580.159). The failed launch is therefore the last one
// of its process; see worker.h.

/// The diagnostic for an error that `kernel` caused; nullopt if the kernel did not cause the
/// error. The device reports neither source line nor thread, except for asserts (see
/// add_assertion()).
std::optional<base::Diagnostic> kernel_fault(Status status, const std::string& kernel);

/// Adds the driver's report of the first failed assert to its diagnostics: text, line,
/// block and thread. `printed` may contain anything; without such a report nothing
/// changes.
void add_assertion(std::vector<base::Diagnostic>& diagnostics, const std::string& kernel,
                   const std::string& printed);

/// The diagnostic for a kernel that was stopped after `seconds`.
base::Diagnostic runaway(const std::string& kernel, double seconds);

}  // namespace warpgrade::gpu
