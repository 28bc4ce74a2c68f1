// SPDX-License-Identifier: Apache-2.0
#include "sim_driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "common/ptx/module.h"
#include "common/sim/memory/address_space.h"
#include "sim_device.h"

namespace warpgrade::gpu::testing {
namespace {

constexpr std::uint64_t kAlignment = 512;
constexpr std::uint64_t kPage = std::uint64_t{2} << 20;  // Memory is mapped in multiples of this.

// Variable i of a module is at kVariables + i * kVariableStep; its bytes are not in `memory`.
constexpr DevicePointer kVariables = DevicePointer{1} << 50;
constexpr DevicePointer kVariableStep = DevicePointer{1} << 31;

SimDevice state;
Module* named_module = nullptr;  // The module of the last module_get_global().

std::vector<std::byte>* variable_at(DevicePointer address) {
  if (address < kVariables || named_module == nullptr) return nullptr;
  return &named_module->variables.at((address - kVariables) / kVariableStep);
}

std::byte* at(DevicePointer address) {
  if (auto* variable = variable_at(address)) return variable->data();
  return state.memory[0].bytes.data() + (address - sim::kBufferBase);
}

// Whether all of it is mapped. The host may copy only mapped memory.
bool is_mapped(DevicePointer address, std::size_t bytes) {
  if (const auto* variable = variable_at(address)) return bytes == variable->size();
  return bytes == 0 || state.mapped(address, bytes).size() == bytes;
}

void flush_printed() {
  std::fwrite(state.printed.data(), 1, state.printed.size(), stdout);
  std::fwrite(state.complaint.data(), 1, state.complaint.size(), stderr);
  std::fflush(stdout);
  std::fflush(stderr);
  state.printed.clear();
  state.complaint.clear();
}

// Begins a call that waits for nothing.
Status begin() { return state.fault; }

// Begins a call that waits for all earlier work.
Status wait() {
  if (state.endless) {
    std::fputs("a call would wait for a kernel that never ends\n", stderr);
    std::abort();
  }
  flush_printed();
  return state.fault;
}

// Resets the context: a fresh device, except for its clock and the number of launches.
Status reset(int) {
  if (state.endless || state.fault != kSuccess) return kLaunchFailed;
  flush_printed();
  state.memory[0].bytes.clear();
  state.allocations.clear();
  state.modules.clear();
  state.events.clear();
  return kSuccess;
}

Status allocate(DevicePointer* address, std::size_t bytes) {
  if (const Status status = begin(); status != kSuccess) return status;
  if (bytes == 0) return kInvalidValue;
  std::uint64_t offset = 0;  // the first gap that is large enough
  for (const auto& [start, size] : state.allocations) {
    if (start - offset >= bytes) break;
    offset = (start + size + kAlignment - 1) / kAlignment * kAlignment;
  }
  if (offset + bytes > state.script.memory_bytes) return kOutOfMemory;
  state.allocations[offset] = bytes;
  auto& mapped = state.memory[0].bytes;
  const auto end = (offset + bytes + kPage - 1) / kPage * kPage;
  // Fresh memory may hold anything. Content other than zero exposes code that relies on zeros.
  if (end > mapped.size()) mapped.resize(end, std::byte{0xa5});
  *address = sim::kBufferBase + offset;
  return kSuccess;
}

Status release(DevicePointer address) {
  if (const Status status = wait(); status != kSuccess) return status;
  return state.allocations.erase(address - sim::kBufferBase) == 1 ? kSuccess : kInvalidValue;
}

Status load(Handle* handle, const void* image) {
  if (const Status status = wait(); status != kSuccess) return status;
  const auto program = program_of(static_cast<const char*>(image), state.known);
  if (program == nullptr) return kNotSupported;
  auto module = std::make_unique<Module>();
  module->program = *program;
  try {
    module->simulator.load(module->program);
  } catch (const base::ToolError&) {
    return kInvalidPtx;
  }
  *handle = module.get();
  state.modules[*handle] = std::move(module);
  return kSuccess;
}

Status find_variable(DevicePointer* address, std::size_t* bytes, Handle handle, const char* name) {
  if (const Status status = begin(); status != kSuccess) return status;
  auto& module = *state.modules.at(handle);
  const auto& all = module.simulator.module().variables;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ptx::Variable& one) { return one.name == name; });
  if (found == all.end()) return kNotFound;
  if (module.variables.empty()) module.variables = initial_variables(module.simulator.module());
  named_module = &module;
  *address = kVariables + kVariableStep * static_cast<DevicePointer>(found - all.begin());
  *bytes = found->bytes;
  return kSuccess;
}

Status unload(Handle handle) {
  named_module = nullptr;
  if (const Status status = wait(); status != kSuccess) return status;
  return state.modules.erase(handle) == 1 ? kSuccess : kInvalidValue;
}

Status find(Handle* function, Handle module, const char* name) {
  if (const Status status = begin(); status != kSuccess) return status;
  const auto known = state.modules.find(module);
  if (known == state.modules.end()) return kInvalidValue;
  const auto* found = ptx::find_function(known->second->simulator.module(), name);
  if (found == nullptr || !found->is_entry) return kNotFound;
  auto made = std::make_unique<Function>();
  made->module = known->second.get();
  made->name = name;
  *function = made.get();
  state.functions.push_back(std::move(made));
  return kSuccess;
}

Status parameter(Handle handle, std::size_t index, std::size_t* offset, std::size_t* size) {
  const auto& parameters = linked(*static_cast<Function*>(handle)).parameters;
  if (index >= parameters.size()) return kInvalidValue;
  *offset = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    const std::size_t alignment = std::max<std::size_t>(parameters[i].alignment, 1);
    *offset = (*offset + alignment - 1) / alignment * alignment;
    *size = parameters[i].bytes;
    if (i < index) *offset += *size;
  }
  return kSuccess;
}

Status set_attribute(Handle function, int which, int value) {
  if (const Status status = begin(); status != kSuccess) return status;
  if (which == kFunctionSharedCarveout) return kSuccess;  // only a hint
  if (which != kFunctionMaxDynamicShared || value < 0 ||
      static_cast<std::uint32_t>(value) > state.profile->shared.max_bytes_per_block) {
    return kInvalidValue;
  }
  static_cast<Function*>(function)->most_dynamic_shared = static_cast<std::uint32_t>(value);
  return kSuccess;
}

Status device_attribute(int* value, int which, int) {
  const auto known = state.attribute(which);
  if (!known) return kInvalidValue;
  *value = *known;
  return kSuccess;
}

Status launch_kernel(Handle handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                     Handle stream, void** arguments, void** extra) {
  if (const Status status = begin(); status != kSuccess) return status;
  if (stream != nullptr || extra != nullptr) return kNotSupported;
  const auto& function = *static_cast<Function*>(handle);
  if (shared > function.most_dynamic_shared) return kInvalidValue;
  if (state.endless) return kSuccess;  // queued forever behind the endless kernel
  run::Launch launch;
  launch.kernel = function.name;
  launch.grid = {grid_x, grid_y, grid_z};
  launch.block = {block_x, block_y, block_z};
  launch.dynamic_shared_bytes = shared;
  std::size_t i = 0;
  for (const auto& kernel_parameter : linked(function).parameters) {
    const auto* bytes = static_cast<const std::byte*>(arguments[i++]);
    launch.arguments.emplace_back(run::ValueArgument(bytes, bytes + kernel_parameter.bytes));
  }
  try {
    state.execute(function, launch);
  } catch (const base::UsageError&) {
    return kInvalidValue;
  }
  if (const auto fault = state.script.faults.find(state.launches);
      fault != state.script.faults.end()) {
    state.fault = fault->second;
  }
  ++state.launches;
  return kSuccess;
}

Status copy(DevicePointer to, const void* from, std::size_t bytes) {
  if (const Status status = wait(); status != kSuccess) return status;
  if (!is_mapped(to, bytes)) return kInvalidValue;
  std::memcpy(at(to), from, bytes);
  return kSuccess;
}

Status copy_back(void* to, DevicePointer from, std::size_t bytes) {
  if (const Status status = wait(); status != kSuccess) return status;
  if (!is_mapped(from, bytes)) return kInvalidValue;
  std::memcpy(to, at(from), bytes);
  return kSuccess;
}

Status copy_on_device(DevicePointer to, DevicePointer from, std::size_t bytes, Handle) {
  if (const Status status = begin(); status != kSuccess) return status;
  if (!is_mapped(to, bytes) || !is_mapped(from, bytes)) return kInvalidValue;
  if (state.endless) return kSuccess;
  std::memmove(at(to), at(from), bytes);
  state.move(2 * bytes);
  return kSuccess;
}

Status fill(DevicePointer to, unsigned char value, std::size_t bytes, Handle) {
  if (const Status status = begin(); status != kSuccess) return status;
  if (!is_mapped(to, bytes)) return kInvalidValue;
  if (state.endless) return kSuccess;
  std::memset(at(to), value, bytes);
  state.move(bytes);
  return kSuccess;
}

Status create_event(Handle* handle, unsigned) {
  if (const Status status = begin(); status != kSuccess) return status;
  auto event = std::make_unique<Event>();
  *handle = event.get();
  state.events[*handle] = std::move(event);
  return kSuccess;
}

Status record(Handle handle, Handle) {
  if (const Status status = begin(); status != kSuccess) return status;
  auto& event = *state.events.at(handle);
  event.at = state.clock;
  event.never = state.endless;
  return kSuccess;
}

Status query(Handle handle) {
  if (state.fault != kSuccess) flush_printed();
  if (const Status status = begin(); status != kSuccess) return status;
  return state.events.at(handle)->never ? kNotReady : kSuccess;
}

Status elapsed(float* milliseconds, Handle from, Handle to) {
  if (const Status status = begin(); status != kSuccess) return status;
  const auto& first = *state.events.at(from);
  const auto& last = *state.events.at(to);
  if (first.never || last.never) return kNotReady;
  *milliseconds = static_cast<float>((last.at - first.at) * 1e3);
  return kSuccess;
}

Status error_name(Status status, const char** name) {
  static const std::map<Status, const char*> kNames = {
      {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
      {kNotFound, "CUDA_ERROR_NOT_FOUND"},
      {kNotReady, "CUDA_ERROR_NOT_READY"},
      {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kAssert, "CUDA_ERROR_ASSERT"},
      {kMisaligned, "CUDA_ERROR_MISALIGNED_ADDRESS"},
      {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
      {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED"},
  };
  const auto found = kNames.find(status);
  if (found == kNames.end()) return kInvalidValue;
  *name = found->second;
  return kSuccess;
}

}  // namespace

void know(const compile::Program& program) { state.known.push_back(program); }

compile::Program as_ptx(compile::Program program) {
  const auto& text = program.ptx.text();
  program.machine_code.assign(text.begin(), text.end());
  program.machine_code.push_back('\0');
  return program;
}

double device_clock() { return state.clock; }

std::uint64_t allocated_bytes() {
  std::uint64_t sum = 0;
  for (const auto& [offset, bytes] : state.allocations) sum += bytes;
  return sum;
}

std::uint64_t launches() { return state.launches; }

Driver sim_driver(const SimScript& script) {
  auto known = std::move(state.known);
  state = {};
  state.known = std::move(known);
  state.script = script;
  state.profile = &device::find(script.device);
  state.random.seed(script.seed);
  Driver d;
  d.init = [](unsigned) { return begin(); };
  d.get_error_name = error_name;
  d.device_get_count = [](int* count) {
    *count = static_cast<int>(std::max<std::size_t>(state.script.names.size(), 1));
    return begin();
  };
  d.device_get = [](int* device, int ordinal) {
    *device = ordinal;
    return begin();
  };
  d.device_get_name = [](char* name, int size, int device) {
    const auto& names = state.script.names;
    const auto text = names.empty() ? std::string(state.profile->product)
                                    : names.at(static_cast<std::size_t>(device));
    std::snprintf(name, static_cast<std::size_t>(size), "%s", text.c_str());
    return begin();
  };
  d.device_get_attribute = device_attribute;
  d.device_get_bus = [](char* bus, int size, int) {
    std::snprintf(bus, static_cast<std::size_t>(size), "0000:3b:00.0");
    return begin();
  };
  d.device_total_memory = [](std::size_t* bytes, int) {
    *bytes = state.script.memory_bytes;
    return begin();
  };
  d.memory_info = [](std::size_t* free, std::size_t* total) {
    *total = state.script.memory_bytes;
    *free = *total - std::min(*total, static_cast<std::size_t>(allocated_bytes()));
    return begin();
  };
  d.context_retain = [](Handle* context, int) {
    *context = &state;
    return begin();
  };
  d.context_reset = reset;
  d.reset_persisting_l2 = begin;
  d.context_set_current = [](Handle) { return begin(); };
  d.context_set_limit = [](int, std::size_t) { return begin(); };
  d.context_synchronize = wait;
  d.module_load_data = load;
  d.module_unload = unload;
  d.module_get_function = find;
  d.module_get_global = find_variable;
  d.function_get_attribute = [](int* value, int which, Handle) {
    if (which != kFunctionMaxThreads) return kInvalidValue;
    *value = 1024;
    return begin();
  };
  d.function_set_attribute = set_attribute;
  d.function_get_parameter = parameter;
  d.memory_allocate = allocate;
  d.memory_free = release;
  d.copy_to_device = copy;
  d.copy_to_host = copy_back;
  d.copy_on_device = copy_on_device;
  d.fill = fill;
  d.launch_kernel = launch_kernel;
  d.event_create = create_event;
  d.event_destroy = [](Handle event) {
    if (const Status status = wait(); status != kSuccess) return status;
    return state.events.erase(event) == 1 ? kSuccess : kInvalidValue;
  };
  d.event_record = record;
  d.event_query = query;
  d.event_elapsed = elapsed;
  return d;
}

Platform sim_platform(const SimScript& script) {
  // Each reading of the clock costs time, so waiting for an endless launch ends.
  constexpr double kLook = 1e-4;
  Platform platform;
  platform.driver = sim_driver(script);
  platform.now = [looks = 0]() mutable { return state.clock + kLook * ++looks; };
  platform.patience = -1;  // The simulator may need any time.
  return platform;
}

}  // namespace warpgrade::gpu::testing
