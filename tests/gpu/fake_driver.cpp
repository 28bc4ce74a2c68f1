// SPDX-License-Identifier: Apache-2.0
#include "fake_driver.h"

#include <algorithm>
#include <cstring>

namespace warpgrade::gpu::testing {
namespace {

FakeDriver state;

// Notes the call; the status that the test wants of it.
Status note(const char* call) {
  state.calls.emplace_back(call);
  const auto failure = state.failures.find(call);
  return failure == state.failures.end() ? kSuccess : failure->second;
}

void* at(DevicePointer address) { return reinterpret_cast<void*>(address); }

Status attribute(int* value, int which, int) {
  const std::map<int, int> values = {
      {kMaxThreadsPerBlock, 1024}, {kMaxBlockX, 1024}, {kMaxBlockY, 1024}, {kMaxBlockZ, 64},
      {kMaxGridX, 0x7fffffff},     {kMaxGridY, 65535}, {kMaxGridZ, 65535}, {kL2CacheSize, 1 << 20},
      {kComputeMajor, 9},          {kComputeMinor, 0}};
  *value = values.at(which);
  return note("device_get_attribute");
}

Status allocate(DevicePointer* address, std::size_t bytes) {
  auto made = std::make_unique<std::byte[]>(bytes);
  *address = reinterpret_cast<DevicePointer>(made.get());
  state.memory[*address] = std::move(made);
  return note("memory_allocate");
}

Status release(DevicePointer address) {
  state.memory.erase(address);
  return note("memory_free");
}

Status launch(Handle function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
              Handle, void** arguments, void**) {
  const Status status = note("launch_kernel");
  if (status == kSuccess) (*static_cast<Kernel*>(function))(arguments);
  return status;
}

Status find(Handle* function, Handle, const char* name) {
  const Status status = note("module_get_function");
  const auto kernel = state.kernels.find(name);
  if (kernel == state.kernels.end()) return 500;
  *function = &kernel->second;
  return status;
}

Status parameter(Handle, std::size_t index, std::size_t* offset, std::size_t* size) {
  if (index >= state.parameter_sizes.size()) return kInvalidValue;
  *offset = 8 * index;
  *size = state.parameter_sizes[index];
  return kSuccess;
}

}  // namespace

std::size_t FakeDriver::count(const std::string& call) const {
  return static_cast<std::size_t>(std::count(calls.begin(), calls.end(), call));
}

FakeDriver& fake() { return state; }

Driver fake_driver() {
  state = {};
  Driver d;
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
    std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
    return note("device_get_name");
  };
  d.device_get_attribute = attribute;
  d.context_retain = [](Handle* context, int) {
    *context = &state;
    return note("context_retain");
  };
  d.context_set_current = [](Handle) { return note("context_set_current"); };
  d.context_set_limit = [](int, std::size_t) { return note("context_set_limit"); };
  d.context_synchronize = [] { return note("context_synchronize"); };
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
  d.function_get_attribute = [](int* value, int, Handle) {
    *value = 1024;
    return note("function_get_attribute");
  };
  d.function_set_attribute = [](Handle, int, int) { return note("function_set_attribute"); };
  d.function_get_parameter = parameter;
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
  d.launch_kernel = launch;
  d.event_create = [](Handle* event, unsigned) {
    *event = &state;
    return note("event_create");
  };
  d.event_destroy = [](Handle) { return note("event_destroy"); };
  d.event_record = [](Handle, Handle) { return note("event_record"); };
  d.event_query = [](Handle) { return state.never_ends ? kNotReady : note("event_query"); };
  d.event_elapsed = [](float* milliseconds, Handle, Handle) {
    *milliseconds = state.milliseconds;
    return note("event_elapsed");
  };
  return d;
}

}  // namespace warpgrade::gpu::testing
