// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "common/gpu/faults.h"

namespace warpgrade::gpu {
namespace {

constexpr std::size_t kHeapBytes = std::size_t{8} << 20;    // The contract's device heap.
constexpr std::size_t kPrintfBytes = std::size_t{1} << 20;  // And its printf buffer.
constexpr std::uint32_t kDynamicSharedWithoutAsking = 48 << 10;
constexpr auto kPollInterval = std::chrono::microseconds(20);

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

// A loaded module and one of its kernels.
class Loaded {
 public:
  Loaded(const Driver& driver, const std::vector<char>& code, const std::string& kernel)
      : driver_(driver) {
    DRIVER_CALL(driver_, module_load_data, &module_, code.data());
    constexpr Status kNotFound = 500;
    const Status status = driver_.module_get_function(&function_, module_, kernel.c_str());
    if (status == kNotFound) {
      unload();
      throw base::UsageError(fmt::format("the program has no kernel called {}", kernel));
    }
    check(driver_, status, "module_get_function", __FILE__, __LINE__);
  }
  ~Loaded() { unload(); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  Handle function() const { return function_; }

 private:
  void unload() { static_cast<void>(driver_.module_unload(module_)); }

  const Driver& driver_;
  Handle module_ = nullptr;
  Handle function_ = nullptr;
};

// Arguments in the form that the driver wants: one pointer to each value.
class Arguments {
 public:
  Arguments(const run::Launch& launch, const std::vector<std::unique_ptr<GuardedMemory>>& memory) {
    values_.reserve(launch.arguments.size());
    for (const auto& argument : launch.arguments) {
      if (const auto* buffer = std::get_if<run::BufferArgument>(&argument)) {
        if (buffer->index >= memory.size()) {
          throw base::UsageError(fmt::format("there is no buffer {} for an argument of {}",
                                             buffer->index, launch.kernel));
        }
        const DevicePointer address = memory[buffer->index]->address();
        const auto* bytes = reinterpret_cast<const std::byte*>(&address);
        values_.emplace_back(bytes, bytes + sizeof(address));
      } else {
        values_.push_back(std::get<run::ValueArgument>(argument));
      }
    }
    for (auto& value : values_) pointers_.push_back(value.data());
  }

  // Compares with the kernel's parameters; drivers before 12.4 cannot tell them.
  void check_against(const Driver& driver, Handle function, const std::string& kernel) const {
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

  void** pointers() { return pointers_.data(); }

 private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;
};

base::Diagnostic diagnostic(base::DiagnosticKind kind, std::string message) {
  base::Diagnostic d;
  d.kind = kind;
  d.message = std::move(message);
  return d;
}

// Reads the buffers back; what the kernel did where it must not is a diagnostic.
void read_back(const std::vector<std::unique_ptr<GuardedMemory>>& memory,
               std::vector<run::Buffer>& buffers, const std::string& kernel, Outcome& outcome) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    run::Buffer& buffer = buffers[i];
    if (const auto damage = memory[i]->damage(buffer.name)) {
      outcome.diagnostics.push_back(diagnostic(
          base::DiagnosticKind::kOutOfBounds,
          fmt::format("the kernel {} {}; check the bounds of its writes", kernel, *damage)));
    }
    std::vector<std::byte> result(buffer.bytes.size());
    memory[i]->read(result);
    if (buffer.read_only && result != buffer.bytes) {
      const auto difference =
          std::mismatch(result.begin(), result.end(), buffer.bytes.begin()).first - result.begin();
      outcome.diagnostics.push_back(diagnostic(
          base::DiagnosticKind::kInputModified,
          fmt::format("the kernel {} wrote to its input {}, first at element {}", kernel,
                      buffer.name,
                      static_cast<std::size_t>(difference) / std::max(buffer.element_bytes, 1U))));
    }
    buffer.bytes = std::move(result);
  }
}

}  // namespace

Session::Session(const Driver& driver, double limit, std::function<double()> now)
    : driver_(driver), limit_(limit), now_(std::move(now)) {
  DRIVER_CALL(driver_, init, 0U);
  int count = 0;
  DRIVER_CALL(driver_, device_get_count, &count);
  if (count == 0) throw base::ToolError("the NVIDIA driver finds no GPU");
  DRIVER_CALL(driver_, device_get, &ordinal_, 0);
  std::array<char, 256> name{};
  DRIVER_CALL(driver_, device_get_name, name.data(), static_cast<int>(name.size()), ordinal_);
  device_.name = name.data();
  device_.architecture = fmt::format("sm_{}{}", attribute(kComputeMajor), attribute(kComputeMinor));
  device_.l2_bytes = static_cast<std::uint64_t>(attribute(kL2CacheSize));
  Handle context = nullptr;
  DRIVER_CALL(driver_, context_retain, &context, ordinal_);
  DRIVER_CALL(driver_, context_set_current, context);
  DRIVER_CALL(driver_, context_set_limit, kMallocHeapSize, kHeapBytes);
  DRIVER_CALL(driver_, context_set_limit, kPrintfFifoSize, kPrintfBytes);
}

// The context goes with the process: releasing it would wait for a kernel that never ends.
Session::~Session() = default;

int Session::attribute(int which) const {
  int value = 0;
  DRIVER_CALL(driver_, device_get_attribute, &value, which, ordinal_);
  return value;
}

void Session::check_geometry(const run::Launch& launch) const {
  const auto within = [&](std::uint32_t value, int which, const char* what) {
    const auto most = static_cast<std::uint32_t>(attribute(which));
    if (value >= 1 && value <= most) return;
    throw base::UsageError(fmt::format("the {} of {} is {}; {} takes 1 to {}", what, launch.kernel,
                                       value, device_.name, most));
  };
  within(launch.grid.x, kMaxGridX, "grid's x extent");
  within(launch.grid.y, kMaxGridY, "grid's y extent");
  within(launch.grid.z, kMaxGridZ, "grid's z extent");
  within(launch.block.x, kMaxBlockX, "block's x extent");
  within(launch.block.y, kMaxBlockY, "block's y extent");
  within(launch.block.z, kMaxBlockZ, "block's z extent");
  within(static_cast<std::uint32_t>(std::min<std::uint64_t>(base::volume(launch.block), ~0U)),
         kMaxThreadsPerBlock, "number of threads a block");
}

void Session::flush_l2() {
  const std::size_t bytes = std::max<std::size_t>(2 * device_.l2_bytes, std::size_t{1} << 20);
  if (flush_ == nullptr) flush_ = std::make_unique<Allocation>(driver_, bytes);
  DRIVER_CALL(driver_, fill, flush_->address(), ++flush_value_, bytes, nullptr);
}

// A free, an unload and a destroy wait for the kernel that runs; after a runaway they would never
// return, so they are made to do nothing.
void Session::abandon() {
  driver_.memory_free = [](DevicePointer) { return kSuccess; };
  driver_.module_unload = [](Handle) { return kSuccess; };
  driver_.event_destroy = [](Handle) { return kSuccess; };
}

std::optional<double> Session::timed(const std::function<void()>& work) {
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
    std::this_thread::sleep_for(kPollInterval);
    status = driver_.event_query(end.handle());
  }
  check(driver_, status, "event_query", __FILE__, __LINE__);
  DRIVER_CALL(driver_, context_synchronize);  // Also writes out what the kernel printed.
  float milliseconds = 0;
  DRIVER_CALL(driver_, event_elapsed, &milliseconds, begin.handle(), end.handle());
  return static_cast<double>(milliseconds) * 1e-3;
}

Outcome Session::run(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     std::uint32_t samples, bool flush) {
  check_geometry(launch);
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::vector<std::unique_ptr<Allocation>> pristine(buffers.size());  // Of what may be written.
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& content = buffers[i].bytes;
    memory.push_back(std::make_unique<GuardedMemory>(driver_, content.size()));
    memory.back()->write(content);
    if (samples > 1 && !buffers[i].read_only && !content.empty()) {
      pristine[i] = std::make_unique<Allocation>(driver_, content.size());
      DRIVER_CALL(driver_, copy_to_device, pristine[i]->address(), content.data(), content.size());
    }
  }
  Arguments arguments(launch, memory);

  Outcome outcome;
  try {
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      const Loaded loaded(driver_, machine_code_, launch.kernel);
      arguments.check_against(driver_, loaded.function(), launch.kernel);
      if (launch.dynamic_shared_bytes > kDynamicSharedWithoutAsking &&
          driver_.function_set_attribute(loaded.function(), kFunctionMaxDynamicShared,
                                         static_cast<int>(launch.dynamic_shared_bytes)) !=
              kSuccess) {
        throw base::UsageError(
            fmt::format("{} cannot give a block of {} {} bytes of dynamic shared "
                        "memory",
                        device_.name, launch.kernel, launch.dynamic_shared_bytes));
      }
      for (std::size_t i = 0; sample > 0 && i < pristine.size(); ++i) {
        if (pristine[i] == nullptr) continue;
        DRIVER_CALL(driver_, copy_on_device, memory[i]->address(), pristine[i]->address(),
                    memory[i]->size(), nullptr);
      }
      if (flush) flush_l2();
      Status launched = kSuccess;
      const auto seconds = timed([&] {
        launched = driver_.launch_kernel(loaded.function(), launch.grid.x, launch.grid.y,
                                         launch.grid.z, launch.block.x, launch.block.y,
                                         launch.block.z, launch.dynamic_shared_bytes, nullptr,
                                         arguments.pointers(), nullptr);
      });
      if (launched != kSuccess) {
        throw base::UsageError(
            fmt::format("{} does not take the launch of {}: {}; blocks of {} threads, {} bytes of "
                        "dynamic shared "
                        "memory",
                        device_.name, launch.kernel, error_name(driver_, launched),
                        base::volume(launch.block), launch.dynamic_shared_bytes));
      }
      if (!seconds) {
        outcome.diagnostics.push_back(runaway(launch.kernel, limit_));
        outcome.device_lost = true;
        return outcome;
      }
      outcome.seconds.push_back(*seconds);
    }
  } catch (const DriverError& error) {
    const auto fault = kernel_fault(error.status(), launch.kernel);
    if (!fault) throw;
    outcome.diagnostics.push_back(*fault);
    outcome.device_lost = true;
    return outcome;
  }
  read_back(memory, buffers, launch.kernel, outcome);
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
    seconds.push_back(*sample);
  }
  return seconds;
}

}  // namespace warpgrade::gpu
