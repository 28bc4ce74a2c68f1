// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 made of the simulator: the whole program runs as on a GPU, without a GPU.
//
// WARPGRADE_SIM_CARD names the profile of the card ("t4" by default); WARPGRADE_SIM_NAMES names the
// products of several cards, separated by ';'. Machine code must come from the compiler of
// ptx_nvrtc.cpp, which appends the PTX, because the simulator executes PTX.
//
// Loaded with LD_PRELOAD, the library also replaces the monotonic clock of a process that uses the
// card. Time then passes only with the card's work and with each reading of the clock, so a busy
// machine disturbs no measurement.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "common/gpu/platform.h"
#include "sim_device.h"
#include "sim_driver.h"

namespace warpgrade::gpu::testing {
namespace {

SimScript script_from_environment() {
  SimScript out;
  const char* const card = std::getenv("WARPGRADE_SIM_CARD");
  out.device = card == nullptr ? "t4" : card;
  const char* const names = std::getenv("WARPGRADE_SIM_NAMES");
  std::string left = names == nullptr ? "" : names;
  while (!left.empty()) {
    const auto end = std::min(left.find(';'), left.size());
    out.names.push_back(left.substr(0, end));
    left.erase(0, end + 1);
  }
  return out;
}

std::atomic<bool> is_open = false;

Driver& table() {
  static Driver out = [] {
    is_open = true;
    return sim_driver(script_from_environment());
  }();
  return out;
}

void add(double seconds, timespec& time) {
  constexpr long kNanoseconds = 1'000'000'000;
  const auto all = time.tv_nsec + static_cast<long>(seconds * 1e9);
  time.tv_sec += all / kNanoseconds;
  time.tv_nsec = all % kNanoseconds;
}

// The PTX after the machine code in `image`; `image` itself if it is not machine code.
const char* ptx_of(const void* image) {
  const auto* const bytes = static_cast<const char*>(image);
  return std::memcmp(bytes, "\177ELF", 4) == 0 ? bytes + elf_bytes(bytes) : bytes;
}

}  // namespace
}  // namespace warpgrade::gpu::testing

using warpgrade::gpu::DevicePointer;
using warpgrade::gpu::Handle;
using warpgrade::gpu::Status;
using warpgrade::gpu::testing::ptx_of;
using warpgrade::gpu::testing::table;

#define FORWARD(symbol, name, parameters, ...) \
  [[gnu::visibility("default")]] Status symbol parameters { return table().name(__VA_ARGS__); }

extern "C" {
// Replaces the C library's function in a process that has opened the card.
[[gnu::visibility("default")]] int clock_gettime(clockid_t which, timespec* time) noexcept {
  static std::atomic<long> looks = 0;
  constexpr double kLook = 1e-4;  // Ends the wait for an endless launch.
  static timespec begin{};
  if (which != CLOCK_MONOTONIC || !warpgrade::gpu::testing::is_open) {
    return static_cast<int>(syscall(SYS_clock_gettime, which, time));
  }
  if (looks == 0) syscall(SYS_clock_gettime, which, &begin);
  *time = begin;
  warpgrade::gpu::testing::add(
      warpgrade::gpu::testing::device_clock() + kLook * static_cast<double>(++looks), *time);
  return 0;
}

FORWARD(cuInit, init, (unsigned flags), flags)
FORWARD(cuGetErrorName, get_error_name, (Status status, const char** name), status, name)
FORWARD(cuDeviceGetCount, device_get_count, (int* count), count)
FORWARD(cuDeviceGet, device_get, (int* device, int ordinal), device, ordinal)
FORWARD(cuDeviceGetName, device_get_name, (char* name, int size, int device), name, size, device)
FORWARD(cuDeviceGetAttribute, device_get_attribute, (int* value, int which, int device), value,
        which, device)
FORWARD(cuDeviceTotalMem_v2, device_total_memory, (std::size_t * bytes, int device), bytes, device)
FORWARD(cuMemGetInfo_v2, memory_info, (std::size_t * free, std::size_t* total), free, total)
FORWARD(cuDeviceGetPCIBusId, device_get_bus, (char* bus, int size, int device), bus, size, device)
FORWARD(cuDevicePrimaryCtxRetain, context_retain, (Handle * context, int device), context, device)
FORWARD(cuCtxSetCurrent, context_set_current, (Handle context), context)
FORWARD(cuCtxSetLimit, context_set_limit, (int which, std::size_t value), which, value)
FORWARD(cuCtxSynchronize, context_synchronize, ())
FORWARD(cuDevicePrimaryCtxReset_v2, context_reset, (int device), device)
FORWARD(cuCtxResetPersistingL2Cache, reset_persisting_l2, ())
FORWARD(cuModuleLoadData, module_load_data, (Handle * module, const void* image), module,
        ptx_of(image))
FORWARD(cuModuleUnload, module_unload, (Handle module), module)
FORWARD(cuModuleGetFunction, module_get_function,
        (Handle * function, Handle module, const char* name), function, module, name)
FORWARD(cuModuleGetGlobal_v2, module_get_global,
        (DevicePointer * address, std::size_t* bytes, Handle module, const char* name), address,
        bytes, module, name)
FORWARD(cuFuncGetAttribute, function_get_attribute, (int* value, int which, Handle function), value,
        which, function)
FORWARD(cuFuncSetAttribute, function_set_attribute, (Handle function, int which, int value),
        function, which, value)
FORWARD(cuFuncGetParamInfo, function_get_parameter,
        (Handle function, std::size_t index, std::size_t* offset, std::size_t* size), function,
        index, offset, size)
FORWARD(cuMemAlloc_v2, memory_allocate, (DevicePointer * address, std::size_t bytes), address,
        bytes)
FORWARD(cuMemFree_v2, memory_free, (DevicePointer address), address)
FORWARD(cuMemcpyHtoD_v2, copy_to_device, (DevicePointer to, const void* from, std::size_t bytes),
        to, from, bytes)
FORWARD(cuMemcpyDtoH_v2, copy_to_host, (void* to, DevicePointer from, std::size_t bytes), to, from,
        bytes)
FORWARD(cuMemcpyDtoDAsync_v2, copy_on_device,
        (DevicePointer to, DevicePointer from, std::size_t bytes, Handle stream), to, from, bytes,
        stream)
FORWARD(cuMemsetD8Async, fill,
        (DevicePointer to, unsigned char value, std::size_t bytes, Handle stream), to, value, bytes,
        stream)
FORWARD(cuLaunchKernel, launch_kernel,
        (Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
         unsigned block_y, unsigned block_z, unsigned shared, Handle stream, void** arguments,
         void** extra),
        function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, arguments,
        extra)
FORWARD(cuEventCreate, event_create, (Handle * event, unsigned flags), event, flags)
FORWARD(cuEventDestroy_v2, event_destroy, (Handle event), event)
FORWARD(cuEventRecord, event_record, (Handle event, Handle stream), event, stream)
FORWARD(cuEventQuery, event_query, (Handle event), event)
FORWARD(cuEventElapsedTime, event_elapsed, (float* milliseconds, Handle begin, Handle end),
        milliseconds, begin, end)

// NVRTC calls it if it finds a driver.
[[gnu::visibility("default")]] Status cuGetExportTable(const void** /*table*/, const void* /*id*/) {
  return warpgrade::gpu::kInvalidValue;
}
}
