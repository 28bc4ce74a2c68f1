// SPDX-License-Identifier: Apache-2.0
#include "fake_driver.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "host_fingerprint.h"

namespace warpgrade::gpu::testing {
namespace {

FakeDriver state;

// Records the call and returns the status that the test wants.
Status note(const char* call) {
  state.calls.emplace_back(call);
  const auto failure = state.failures.find(call);
  return failure == state.failures.end() ? kSuccess : failure->second;
}

// An event's handle is its place in `events`, counted from 1.
std::size_t number(Handle event) { return reinterpret_cast<std::size_t>(event); }

void* at(DevicePointer address) { return reinterpret_cast<void*>(address); }

Status attribute(int* value, int which, int) {
  const std::map<int, int> values = {{kMaxThreadsPerBlock, 1024}, {kMaxBlockX, 1024},
                                     {kMaxBlockY, 1024},          {kMaxBlockZ, 64},
                                     {kMaxGridX, 0x7fffffff},     {kMaxGridY, 65535},
                                     {kMaxGridZ, 65535},          {kL2CacheSize, 1 << 20},
                                     {kComputeMajor, 9},          {kComputeMinor, 0},
                                     {kMultiprocessors, 2},       {kMaxSharedPerBlock, 232448}};
  const auto own = state.attributes.find(which);
  const auto known = values.find(which);
  if (own == state.attributes.end() && known == values.end()) return kInvalidValue;
  *value = own != state.attributes.end() ? own->second : known->second;
  return note("device_get_attribute");
}

Status allocate(DevicePointer* address, std::size_t bytes) {
  auto made = std::make_unique_for_overwrite<std::byte[]>(bytes);
  *address = reinterpret_cast<DevicePointer>(made.get());
  state.memory[*address] = std::move(made);
  state.sizes[*address] = bytes;
  return note("memory_allocate");
}

Status release(DevicePointer address) {
  const auto block = state.memory.find(address);
  if (block != state.memory.end()) {
    if (state.keep_freed) state.freed.push_back(std::move(block->second));
    state.memory.erase(block);
  }
  return note("memory_free");
}

Status launch(Handle function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
              Handle, void** arguments, void**) {
  const Status status = note("launch_kernel");
  if (status != kSuccess) return status;
  (*static_cast<Kernel*>(function))(arguments);
  const auto duration = state.durations.find(state.running);
  if (duration != state.durations.end()) state.clock += duration->second();
  return status;
}

Status launch_cooperative(Handle function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared, Handle stream,
                          void** arguments) {
  note("launch_cooperative");
  return launch(function, x, y, z, block_x, block_y, block_z, shared, stream, arguments, nullptr);
}

Status launch_extended(const LaunchConfig* config, Handle function, void** arguments, void**) {
  note("launch_extended");
  state.cluster = {config->attributes->extents[0], config->attributes->extents[1],
                   config->attributes->extents[2]};
  const auto& [x, y, z] = config->grid;
  const auto& [block_x, block_y, block_z] = config->block;
  return launch(function, x, y, z, block_x, block_y, block_z, config->shared_bytes, config->stream,
                arguments, nullptr);
}

template <typename T>
T argument(void** arguments, int index) {
  T value{};
  std::memcpy(&value, arguments[index], sizeof(value));
  return value;
}

// The harness's own fingerprint kernel, computed by the host.
void fingerprint_kernel(void** arguments) {
  const auto* data = static_cast<const std::byte*>(at(argument<DevicePointer>(arguments, 1)));
  const auto found =
      fingerprint({data, argument<std::uint64_t>(arguments, 2)},
                  {argument<std::uint64_t>(arguments, 3), argument<std::uint64_t>(arguments, 4)});
  std::memcpy(at(argument<DevicePointer>(arguments, 0)), &found, sizeof(found));
}

Status find(Handle* function, Handle, const char* name) {
  const Status status = note("module_get_function");
  const auto kernel = state.kernels.find(name);
  if (kernel == state.kernels.end()) return 500;
  *function = &kernel->second;
  state.running = name;
  return status;
}

Status parameter(Handle, std::size_t index, std::size_t* offset, std::size_t* size) {
  static const std::map<std::string, std::vector<std::size_t>> own = {
      {kFingerprintKernel, {8, 8, 8, 8, 8}}, {kOverwriteSharedKernel, {8}}};
  const auto found = own.find(state.running);
  const auto& sizes = found != own.end() ? found->second : state.parameter_sizes;
  if (index >= sizes.size()) return kInvalidValue;
  *offset = 8 * index;
  *size = sizes[index];
  return kSuccess;
}

void add_devices(Driver& d) {
  d.init = [](unsigned) { return note("init"); };
  d.get_error_name = [](Status status, const char** name) {
    *name = status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : status == 2 ? "CUDA_ERROR_OUT_OF_MEMORY"
                          : nullptr;
    return *name == nullptr ? kInvalidValue : kSuccess;
  };
  d.device_get_count = [](int* count) {
    *count = state.device_count;
    return note("device_get_count");
  };
  d.device_get = [](int* device, int) {
    *device = 0;
    return note("device_get");
  };
  d.device_get_name = [](char* name, int size, int) {
    std::strncpy(name, state.device_name.c_str(), static_cast<std::size_t>(size));
    return note("device_get_name");
  };
  d.device_get_attribute = attribute;
  d.context_retain = [](Handle* context, int) {
    *context = &state;
    return note("context_retain");
  };
  d.context_set_current = [](Handle) { return note("context_set_current"); };
  d.context_set_limit = [](int, std::size_t) { return note("context_set_limit"); };
  d.context_reset = [](int) {
    state.memory.clear();
    return note("context_reset");
  };
  d.device_get_bus = [](char* bus, int size, int) {
    std::strncpy(bus, "0000:3b:00.0", static_cast<std::size_t>(size));
    return note("device_get_bus");
  };
  d.reset_persisting_l2 = [] { return note("reset_persisting_l2"); };
  d.context_synchronize = [] { return note("context_synchronize"); };
}

void add_modules(Driver& d) {
  d.module_load_data = [](Handle* module, const void*) {
    *module = &state;
    ++state.live_modules;
    return note("module_load_data");
  };
  d.module_unload = [](Handle) {
    --state.live_modules;
    return note("module_unload");
  };
  d.module_get_function = find;
  d.module_get_global = [](DevicePointer*, std::size_t*, Handle, const char*) {
    static_cast<void>(note("module_get_global"));
    return Status{500};
  };
  d.function_get_attribute = [](int* value, int, Handle) {
    *value = 1024;
    return note("function_get_attribute");
  };
  d.function_set_attribute = [](Handle, int, int) { return note("function_set_attribute"); };
  d.function_get_parameter = parameter;
}

void add_memory(Driver& d) {
  d.memory_allocate = allocate;
  d.memory_free = release;
  d.copy_to_device = [](DevicePointer to, const void* from, std::size_t bytes) {
    std::memcpy(at(to), from, bytes);
    return note("copy_to_device");
  };
  d.copy_to_host = [](void* to, DevicePointer from, std::size_t bytes) {
    std::memcpy(to, at(from), bytes);
    return note("copy_to_host");
  };
  d.copy_on_device = [](DevicePointer to, DevicePointer from, std::size_t bytes, Handle) {
    std::memcpy(at(to), at(from), bytes);
    return note("copy_on_device");
  };
  d.fill = [](DevicePointer to, unsigned char value, std::size_t bytes, Handle) {
    std::memset(at(to), value, bytes);
    return note("fill");
  };
}

void add_events(Driver& d) {
  d.event_create = [](Handle* event, unsigned) {
    state.events.push_back(0);
    *event = at(state.events.size());
    return note("event_create");
  };
  d.event_destroy = [](Handle) { return note("event_destroy"); };
  d.event_record = [](Handle event, Handle) {
    state.events.at(number(event) - 1) = state.clock;
    return note("event_record");
  };
  d.event_query = [](Handle) { return state.never_ends ? kNotReady : note("event_query"); };
  d.event_elapsed = [](float* milliseconds, Handle begin, Handle end) {
    const double seconds = state.events.at(number(end) - 1) - state.events.at(number(begin) - 1);
    *milliseconds =
        seconds > 0 ? static_cast<float>(seconds * state.event_scale * 1e3) : state.milliseconds;
    return note("event_elapsed");
  };
}

}  // namespace

std::size_t FakeDriver::count(const std::string& call) const {
  return static_cast<std::size_t>(std::count(calls.begin(), calls.end(), call));
}

float* pointer(void** arguments, int index) {
  DevicePointer address = 0;
  std::memcpy(&address, arguments[index], sizeof(address));
  return reinterpret_cast<float*>(address);
}

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

FakeDriver& fake() { return state; }

Driver fake_driver() {
  state = {};
  state.kernels[kFingerprintKernel] = fingerprint_kernel;
  state.kernels[kOverwriteSharedKernel] = [](void**) {};
  Driver d;
  add_devices(d);
  add_modules(d);
  add_memory(d);
  add_events(d);
  d.launch_kernel = launch;
  d.launch_cooperative = launch_cooperative;
  d.launch_extended = launch_extended;
  return d;
}

Platform fake_platform() {
  Platform platform;
  platform.driver = fake_driver();
  platform.now = [] { return state.clock += 1e-6; };
  platform.patience = -1;
  Nvml nvml;
  nvml.init = [] { return 0; };
  nvml.driver_version = [](char* text, unsigned size) {
    std::strncpy(text, "580.1", size);
    return 0;
  };
  nvml.device_by_bus = [](const char*, void** device) {
    *device = &state;
    return 0;
  };
  nvml.clock = [](void*, int, unsigned* mhz) {
    *mhz = state.sm_mhz;
    return 0;
  };
  nvml.clock_reasons = [](void*, unsigned long long* reasons) {
    *reasons = state.clock_reasons;
    return 0;
  };
  nvml.processes = [](void*, unsigned* count, NvmlProcess* processes) {
    *count = 0;
    processes[(*count)++].id = static_cast<unsigned>(getpid());
    for (const auto other : state.processes) processes[(*count)++].id = other;
    return 0;
  };
  platform.nvml = nvml;
  return platform;
}

}  // namespace warpgrade::gpu::testing
