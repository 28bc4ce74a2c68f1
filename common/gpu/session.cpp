// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "common/gpu/device_info.h"
#include "common/gpu/platform.h"
#include "common/run/launch.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {
namespace {

// The value depends on the position, so a shifted copy of a guard does not match.
std::byte guard_byte(std::size_t i) { return static_cast<std::byte>((i * 37 + 11) & 0xff); }

const std::vector<std::byte>& guard() {
  static const std::vector<std::byte> bytes = [] {
    std::vector<std::byte> g(kGuardBytes);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = guard_byte(i);
    return g;
  }();
  return bytes;
}

}  // namespace

Allocation::Allocation(const Driver& driver, std::size_t bytes) : driver_(driver) {
  DRIVER_CALL(driver_, memory_allocate, &address_, bytes);
}

Allocation::~Allocation() { static_cast<void>(driver_.memory_free(address_)); }

GuardedMemory::GuardedMemory(const Driver& driver, std::size_t bytes)
    : driver_(driver),
      bytes_(bytes),
      own_(std::make_unique<Allocation>(driver, room_for(bytes))),
      room_(own_->address()) {
  write_guards();
}

GuardedMemory::GuardedMemory(const Driver& driver, std::size_t bytes, DevicePointer room)
    : driver_(driver), bytes_(bytes), room_(room) {
  write_guards();
}

void GuardedMemory::write_guards() const {
  for (const DevicePointer at : {room_, address() + bytes_}) {
    DRIVER_CALL(driver_, copy_to_device, at, guard().data(), kGuardBytes);
  }
}

void GuardedMemory::write(std::span<const std::byte> content) const {
  if (content.empty()) return;
  DRIVER_CALL(driver_, copy_to_device, address(), content.data(), content.size());
}

void GuardedMemory::read(std::span<std::byte> content) const {
  if (content.empty()) return;
  DRIVER_CALL(driver_, copy_to_host, content.data(), address(), content.size());
}

std::optional<std::string> GuardedMemory::damage(const std::string& name) const {
  std::vector<std::byte> got(kGuardBytes);
  for (const bool after : {true, false}) {
    DRIVER_CALL(driver_, copy_to_host, got.data(), after ? address() + bytes_ : room_, kGuardBytes);
    std::size_t count = 0;
    std::size_t nearest = 0;  // nearest to the buffer
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
      if (got[i] == guard()[i]) continue;
      if (count == 0 || !after) nearest = i;
      ++count;
    }
    if (count == 0) continue;
    if (after) {
      return fmt::format("wrote {} byte{} past the end of {}, first at byte {} ({} has {} bytes)",
                         count, count == 1 ? "" : "s", name, bytes_ + nearest, name, bytes_);
    }
    return fmt::format("wrote {} byte{} before the start of {}, nearest at byte -{}", count,
                       count == 1 ? "" : "s", name, kGuardBytes - nearest);
  }
  return std::nullopt;
}

Module::Module(const Driver& driver, const std::vector<char>& code) : driver_(driver) {
  DRIVER_CALL(driver_, module_load_data, &module_, code.data());
}

Module::~Module() { static_cast<void>(driver_.module_unload(module_)); }

Handle Module::function(const std::string& kernel) const {
  constexpr Status kNotFound = 500;
  Handle found = nullptr;
  const Status status = driver_.module_get_function(&found, module_, kernel.c_str());
  if (status == kNotFound) {
    throw base::UsageError(fmt::format("the program has no kernel called {}", kernel));
  }
  check(driver_, status, "module_get_function", __FILE__, __LINE__);
  return found;
}

DevicePointer Module::variable(const std::string& name, std::size_t bytes) const {
  constexpr Status kNotFound = 500;
  DevicePointer address = 0;
  std::size_t size = 0;
  const Status status = driver_.module_get_global(&address, &size, module_, name.c_str());
  if (status == kNotFound) {
    throw base::UsageError(fmt::format("the program has no variable called {}", name));
  }
  check(driver_, status, "module_get_global", __FILE__, __LINE__);
  if (size != bytes) {
    throw base::UsageError(
        fmt::format("the variable {} has {} bytes, {} were given", name, size, bytes));
  }
  return address;
}

Arguments::Arguments(const run::Launch& launch, const DeviceBuffers& memory) {
  std::vector<std::uint64_t> addresses;
  for (const auto& buffer : memory) addresses.push_back(buffer->address());
  for (const auto& argument : launch.arguments) {
    values_.push_back(run::bytes_of(argument, addresses));
  }
  for (auto& value : values_) pointers_.push_back(value.data());
}

void Arguments::check_against(const Driver& driver, Handle function,
                              const std::string& kernel) const {
  if (driver.function_get_parameter == nullptr) return;
  for (std::size_t i = 0;; ++i) {
    std::size_t offset = 0;
    std::size_t size = 0;
    if (driver.function_get_parameter(function, i, &offset, &size) != kSuccess) {
      if (i == values_.size()) return;
      throw base::UsageError(fmt::format("the kernel {} has {} parameters, the launch gives {}",
                                         kernel, i, values_.size()));
    }
    if (i >= values_.size()) {
      throw base::UsageError(fmt::format(
          "the kernel {} has more parameters than the {} of the launch", kernel, values_.size()));
    }
    if (size != values_[i].size()) {
      throw base::UsageError(fmt::format("parameter {} of the kernel {} has {} bytes, not {}", i,
                                         kernel, size, values_[i].size()));
    }
  }
}

namespace {

constexpr std::uint32_t kDynamicSharedWithoutAsking = 48 << 10;
constexpr auto kPollInterval = std::chrono::microseconds(20);
constexpr double kPatience = 2e-3;  // Seconds of busy waiting before the first sleep.

class Event {
 public:
  explicit Event(const Driver& driver) : driver_(driver) {
    DRIVER_CALL(driver_, event_create, &handle_, 0U);
  }
  ~Event() { static_cast<void>(driver_.event_destroy(handle_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  Handle handle() const { return handle_; }

 private:
  const Driver& driver_;
  Handle handle_ = nullptr;
};

base::Diagnostic diagnostic(base::DiagnosticKind kind, std::string message) {
  base::Diagnostic d;
  d.kind = kind;
  d.message = std::move(message);
  return d;
}

// "0 is Tesla T4, 1 is NVIDIA L4".
std::string names(const Driver& driver, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    int device = 0;
    std::array<char, 256> name{};
    DRIVER_CALL(driver, device_get, &device, i);
    DRIVER_CALL(driver, device_get_name, name.data(), static_cast<int>(name.size()), device);
    out += fmt::format("{}{} is {}", i == 0 ? "" : ", ", i, name.data());
  }
  return out;
}

// Copies the contents of variables of `module` from their buffers to the module, or back.
enum class Direction : std::uint8_t { kToModule, kToBuffers };
void copy_variables(const Driver& driver, const Module& module,
                    const std::vector<run::Buffer>& buffers, const DeviceBuffers& memory,
                    Direction direction) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].symbol.empty()) continue;
    auto to = module.variable(buffers[i].symbol, memory[i]->size());
    auto from = memory[i]->address();
    if (direction == Direction::kToBuffers) std::swap(to, from);
    DRIVER_CALL(driver, copy_on_device, to, from, memory[i]->size(), nullptr);
  }
}

// Reads the buffers back; a forbidden write by the kernel becomes a diagnostic.
void read_back(const DeviceBuffers& memory, std::vector<run::Buffer>& buffers,
               const std::string& kernel, LaunchOutcome& outcome) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    run::Buffer& buffer = buffers[i];
    if (const auto damage = memory[i]->damage(buffer.name)) {
      outcome.diagnostics.push_back(damage_diagnostic(kernel, *damage));
    }
    std::vector<std::byte> result(buffer.bytes.size());
    memory[i]->read(result);
    if (buffer.read_only && result != buffer.bytes) {
      outcome.diagnostics.push_back(input_diagnostic(kernel, buffer, result));
    }
    buffer.bytes = std::move(result);
  }
}

}  // namespace

base::Diagnostic damage_diagnostic(const std::string& kernel, const std::string& damage) {
  return diagnostic(
      base::DiagnosticKind::kOutOfBounds,
      fmt::format("the kernel {} {}; check the bounds of its writes", kernel, damage));
}

base::Diagnostic input_diagnostic(const std::string& kernel, const run::Buffer& input,
                                  std::span<const std::byte> found) {
  const auto difference =
      std::mismatch(found.begin(), found.end(), input.bytes.begin()).first - found.begin();
  return diagnostic(
      base::DiagnosticKind::kInputModified,
      fmt::format("the kernel {} wrote to its input {}, first at element {}", kernel, input.name,
                  static_cast<std::size_t>(difference) / std::max(input.element_bytes, 1U)));
}

Session::Session(const Driver& driver, double limit, std::function<double()> now, int ordinal)
    : driver_(driver), limit_(limit), now_(std::move(now)) {
  DRIVER_CALL(driver_, init, 0U);
  int count = 0;
  DRIVER_CALL(driver_, device_get_count, &count);
  if (count == 0) throw base::ToolError("the NVIDIA driver finds no GPU");
  if (ordinal < 0 || ordinal >= count) {
    throw base::UsageError(fmt::format("--gpu {}: no such GPU; the NVIDIA driver shows {}: {}",
                                       ordinal, count == 1 ? "one" : std::to_string(count),
                                       names(driver_, count)));
  }
  DRIVER_CALL(driver_, device_get, &handle_, ordinal);
  device_ = device_info(driver_, ordinal, count, handle_);
  open_context();
  std::size_t total = 0;
  std::size_t free = 0;
  if (driver_.memory_info != nullptr && driver_.memory_info(&free, &total) == kSuccess) {
    device_.free_bytes = free;
  }
}

void Session::open_context() {
  Handle context = nullptr;
  DRIVER_CALL(driver_, context_retain, &context, handle_);
  DRIVER_CALL(driver_, context_set_current, context);
  DRIVER_CALL(driver_, context_set_limit, kMallocHeapSize, run::kHeapBytes);
  DRIVER_CALL(driver_, context_set_limit, kPrintfFifoSize, run::kPrintedBytes);
}

bool Session::renew() {
  if (driver_.context_reset == nullptr) return false;
  flush_.reset();
  DRIVER_CALL(driver_, context_reset, handle_);
  open_context();
  return true;
}

// The process releases the context: an explicit release would wait for an endless kernel.
Session::~Session() = default;

int Session::attribute(int which) const {
  int value = 0;
  DRIVER_CALL(driver_, device_get_attribute, &value, which, handle_);
  return value;
}

void Session::check_geometry(const run::Sequence& sequence) const {
  const auto most = [&](int which) { return static_cast<std::uint32_t>(attribute(which)); };
  run::LaunchLimits limits;
  limits.grid = {most(kMaxGridX), most(kMaxGridY), most(kMaxGridZ)};
  limits.block = {most(kMaxBlockX), most(kMaxBlockY), most(kMaxBlockZ)};
  limits.threads_per_block = most(kMaxThreadsPerBlock);
  limits.device = device_.name;
  for (const auto& launch : sequence.launches) {
    // Without the limit on shared memory: the driver itself reports at the launch how much the
    // kernel may use.
    const auto wrong = run::wrong_launch(launch.grid, launch.block, 0, limits);
    if (wrong.empty()) continue;
    throw base::UsageError(fmt::format("the launch of {}: {}", launch.kernel, wrong));
  }
}

void Session::flush_l2() {
  const std::size_t bytes = std::max<std::size_t>(2 * device_.l2_bytes, std::size_t{1} << 20);
  if (flush_ == nullptr) flush_ = std::make_unique<Allocation>(driver_, bytes);
  if (driver_.reset_persisting_l2 != nullptr) DRIVER_CALL(driver_, reset_persisting_l2);
  DRIVER_CALL(driver_, fill, flush_->address(), ++flush_value_, bytes, nullptr);
}

// A free, an unload and a destroy wait for the running kernel. After a runaway they would never
// return, so they become no-ops.
void Session::abandon() {
  driver_.memory_free = [](DevicePointer) { return kSuccess; };
  driver_.module_unload = [](Handle) { return kSuccess; };
  driver_.event_destroy = [](Handle) { return kSuccess; };
}

std::optional<Timing> Session::timed(const std::function<void()>& work) {
  const Event begin(driver_);
  const Event end(driver_);
  const double start = now_();
  DRIVER_CALL(driver_, event_record, begin.handle(), nullptr);
  work();
  DRIVER_CALL(driver_, event_record, end.handle(), nullptr);
  Status status = driver_.event_query(end.handle());
  while (status == kNotReady) {
    if (now_() - start > limit_) {
      abandon();
      return std::nullopt;
    }
    if (now_() - start > kPatience) std::this_thread::sleep_for(kPollInterval);
    status = driver_.event_query(end.handle());
  }
  const double host_seconds = now_() - start;
  check(driver_, status, "event_query", __FILE__, __LINE__);
  DRIVER_CALL(driver_, context_synchronize);  // also flushes the kernel's output
  float milliseconds = 0;
  DRIVER_CALL(driver_, event_elapsed, &milliseconds, begin.handle(), end.handle());
  return Timing{static_cast<double>(milliseconds) * 1e-3, host_seconds};
}

namespace {

Status launch_one(const Driver& driver, Handle function, const run::Launch& launch,
                  void** arguments) {
  const auto& grid = launch.grid;
  const auto& block = launch.block;
  if (launch.cluster) {
    if (driver.launch_extended == nullptr) {
      throw base::UsageError("the driver has no launches with clusters (cuLaunchKernelEx)");
    }
    ClusterAttribute cluster;
    std::tie(cluster.extents[0], cluster.extents[1], cluster.extents[2]) =
        std::tie(launch.cluster->x, launch.cluster->y, launch.cluster->z);
    LaunchConfig config;
    config.grid = {grid.x, grid.y, grid.z};
    config.block = {block.x, block.y, block.z};
    config.shared_bytes = launch.dynamic_shared_bytes;
    config.attributes = &cluster;
    config.attribute_count = 1;
    return driver.launch_extended(&config, function, arguments, nullptr);
  }
  if (!launch.cooperative) {
    return driver.launch_kernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                launch.dynamic_shared_bytes, nullptr, arguments, nullptr);
  }
  if (driver.launch_cooperative == nullptr) {
    throw base::UsageError("the driver has no cooperative launches (cuLaunchCooperativeKernel)");
  }
  return driver.launch_cooperative(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                   launch.dynamic_shared_bytes, nullptr, arguments);
}

}  // namespace

// Checks the arguments of a launch of `function` and permits its dynamic shared memory.
void Session::prepare(Handle function, const run::Launch& launch, const Arguments& arguments) {
  arguments.check_against(driver_, function, launch.kernel);
  if (launch.dynamic_shared_bytes > kDynamicSharedWithoutAsking &&
      driver_.function_set_attribute(function, kFunctionMaxDynamicShared,
                                     static_cast<int>(launch.dynamic_shared_bytes)) != kSuccess) {
    throw base::UsageError(
        fmt::format("{} cannot give a block of {} {} bytes of dynamic shared memory", device_.name,
                    launch.kernel, launch.dynamic_shared_bytes));
  }
}

std::optional<Timing> Session::launch(const Module& module, const run::Sequence& sequence,
                                      const DeviceBuffers& memory) {
  const auto count = sequence.launches.size();
  std::vector<Handle> functions;
  std::vector<Arguments> arguments;
  arguments.reserve(count);
  for (const auto& launch : sequence.launches) {
    functions.push_back(module.function(launch.kernel));
    prepare(functions.back(), launch, arguments.emplace_back(launch, memory));
  }
  Status launched = kSuccess;
  std::size_t done = 0;
  const auto timing = timed([&] {
    for (; done < count && launched == kSuccess; ++done) {
      const auto& launch = sequence.launches[done];
      launched = launch_one(driver_, functions[done], launch, arguments[done].pointers());
    }
  });
  if (launched == kSuccess) return timing;
  const auto& refused = sequence.launches[done - 1];
  throw base::UsageError(fmt::format(
      "{} does not take the launch of {}: {}; blocks of {} threads, {} bytes of dynamic shared "
      "memory",
      device_.name, refused.kernel, error_name(driver_, launched), base::volume(refused.block),
      refused.dynamic_shared_bytes));
}

// Runs the launches once and waits for each. Returns false if one does not finish; the outcome
// names it.
bool Session::launch_apart(const run::Sequence& sequence, const DeviceBuffers& memory,
                           LaunchOutcome& outcome) {
  const Module module(driver_, machine_code_);
  for (std::size_t i = 0; i < sequence.launches.size(); ++i) {
    const auto& launch = sequence.launches[i];
    std::optional<base::Diagnostic> fault;
    try {
      const auto timing = this->launch(module, launch, memory);
      if (timing) {
        outcome.launch_seconds.push_back(timing->seconds);
        continue;
      }
      fault = runaway(launch.kernel, limit_);
    } catch (const DriverError& error) {
      fault = kernel_fault(error.status(), launch.kernel);
      if (!fault) throw;
    }
    fault->seen.launch = run::place_of(sequence, i);
    outcome.diagnostics.push_back(*std::move(fault));
    outcome.device_lost = true;
    return false;
  }
  return true;
}

LaunchOutcome Session::run(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                           std::uint32_t samples, bool flush) {
  check_geometry(sequence);
  const auto kernels = run::kernels_text(sequence);
  const bool runs_apart = !sequence.is_one_launch();
  DeviceBuffers memory;
  // Copies of the buffers that a launch may write.
  std::vector<std::unique_ptr<Allocation>> pristine(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& content = buffers[i].bytes;
    memory.push_back(std::make_unique<GuardedMemory>(driver_, content.size()));
    memory.back()->write(content);
    if ((samples > 1 || runs_apart) && !buffers[i].read_only && !content.empty()) {
      pristine[i] = std::make_unique<Allocation>(driver_, content.size());
      DRIVER_CALL(driver_, copy_to_device, pristine[i]->address(), content.data(), content.size());
    }
  }

  LaunchOutcome outcome;
  if (runs_apart && !launch_apart(sequence, memory, outcome)) return outcome;
  try {
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      const Module module(driver_, machine_code_);
      for (std::size_t i = 0; (sample > 0 || runs_apart) && i < pristine.size(); ++i) {
        if (pristine[i] == nullptr) continue;
        DRIVER_CALL(driver_, copy_on_device, memory[i]->address(), pristine[i]->address(),
                    memory[i]->size(), nullptr);
      }
      copy_variables(driver_, module, buffers, memory, Direction::kToModule);
      if (flush) flush_l2();
      const auto timing = launch(module, sequence, memory);
      if (!timing) {
        outcome.diagnostics.push_back(runaway(kernels, limit_));
        outcome.device_lost = true;
        return outcome;
      }
      outcome.seconds.push_back(timing->seconds);
      copy_variables(driver_, module, buffers, memory, Direction::kToBuffers);
    }
  } catch (const DriverError& error) {
    const auto fault = kernel_fault(error.status(), kernels);
    if (!fault) throw;
    outcome.diagnostics.push_back(*fault);
    outcome.device_lost = true;
    return outcome;
  }
  read_back(memory, buffers, kernels, outcome);
  run::put_in_place(sequence, buffers);
  return outcome;
}

std::vector<double> Session::copy(std::uint64_t bytes, std::uint32_t samples) {
  const Allocation from(driver_, bytes);
  const Allocation to(driver_, bytes);
  DRIVER_CALL(driver_, fill, from.address(), static_cast<unsigned char>(1), bytes, nullptr);
  std::vector<double> seconds;
  for (std::uint32_t i = 0; i < samples; ++i) {
    flush_l2();
    const auto sample = timed([&] {
      DRIVER_CALL(driver_, copy_on_device, to.address(), from.address(), bytes, nullptr);
    });
    if (!sample) throw base::ToolError(fmt::format("a copy of {} bytes did not end", bytes));
    seconds.push_back(sample->seconds);
  }
  return seconds;
}

}  // namespace warpgrade::gpu
