// SPDX-License-Identifier: Apache-2.0
// Loads the CUDA driver and the management library at run time, and explains the driver's errors.
//
// In: libcuda.so.1 and libnvidia-ml.so.1. Out: tables of their functions. A failed call becomes a
// DriverError with file, line, call and error name; an error after a kernel becomes a diagnostic
// in plain language. The program starts and works without either library.
#include "common/gpu/platform.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::gpu {

std::variant<Driver, std::string> load_driver(const char* library) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);  // kept for the life of the process
  if (handle == nullptr) {
    return fmt::format("this machine has no NVIDIA driver ({} was not found)", library);
  }
  Driver driver;
  // Converts dlsym's void* to a function pointer by copying the bits, which POSIX guarantees to
  // work.
#define WARPGRADE_LOAD(name, symbol, ...)                                \
  if (void* const address = dlsym(handle, symbol); address != nullptr) { \
    static_assert(sizeof(driver.name) == sizeof(address));               \
    std::memcpy(&driver.name, &address, sizeof(address));                \
  }
#define WARPGRADE_LOAD_REQUIRED(name, symbol, ...)                                     \
  WARPGRADE_LOAD(name, symbol, )                                                       \
  if (driver.name == nullptr) {                                                        \
    return fmt::format("the NVIDIA driver is too old: {} has no {}", library, symbol); \
  }
  WARPGRADE_DRIVER_FUNCTIONS(WARPGRADE_LOAD_REQUIRED, WARPGRADE_LOAD)
#undef WARPGRADE_LOAD_REQUIRED
#undef WARPGRADE_LOAD
  return driver;
}

std::string error_name(const Driver& driver, Status status) {
  const char* name = nullptr;
  if (driver.get_error_name(status, &name) != kSuccess || name == nullptr) {
    return fmt::format("CUDA error {}", status);
  }
  return name;
}

void check(const Driver& driver, Status status, const char* call, const char* file, int line) {
  if (status == kSuccess) return;
  const char* const slash = std::strrchr(file, '/');
  throw DriverError(status, fmt::format("{}:{}: {}: {}", slash == nullptr ? file : slash + 1, line,
                                        call, error_name(driver, status)));
}

namespace {

constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;

struct Slowdown {
  std::uint64_t bit;
  const char* text;
};
// nvmlClocksEventReason*.
constexpr std::array kSlowdowns = {
    Slowdown{0x8, "the hardware holds its clocks down"},
    Slowdown{0x20, "it is too hot (by the driver's limit)"},
    Slowdown{0x40, "it is too hot (by the hardware's limit)"},
    Slowdown{0x80, "its power supply asks for less"},
};

}  // namespace

std::optional<Nvml> load_nvml(const char* library) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);  // kept for the life of the process
  if (handle == nullptr) return std::nullopt;
  Nvml nvml;
#define WARPGRADE_LOAD(name, symbol, ...)             \
  void* const name##_address = dlsym(handle, symbol); \
  std::memcpy(&nvml.name, &name##_address, sizeof(name##_address));
#define WARPGRADE_LOAD_REQUIRED(name, symbol, ...) \
  WARPGRADE_LOAD(name, symbol, )                   \
  if (name##_address == nullptr) return std::nullopt;
  WARPGRADE_NVML_FUNCTIONS(WARPGRADE_LOAD_REQUIRED, WARPGRADE_LOAD)
#undef WARPGRADE_LOAD_REQUIRED
#undef WARPGRADE_LOAD
  return nvml;
}

std::string driver_version(const std::optional<Nvml>& nvml) {
  std::array<char, 81> text{};
  if (!nvml || nvml->init() != 0) return {};
  if (nvml->driver_version(text.data(), static_cast<unsigned>(text.size() - 1)) != 0) return {};
  return text.data();
}

bool is_slowed_down(const Conditions& conditions) {
  return std::any_of(kSlowdowns.begin(), kSlowdowns.end(),
                     [&](const Slowdown& one) { return (conditions.reasons & one.bit) != 0; });
}

std::string slowdown_text(const Conditions& conditions) {
  std::string out;
  for (const auto& one : kSlowdowns) {
    if ((conditions.reasons & one.bit) != 0)
      out += (out.empty() ? "" : ", ") + std::string(one.text);
  }
  return out;
}

Monitor::Monitor(const std::optional<Nvml>& nvml, const std::string& bus,
                 std::function<bool(pid_t)> is_ours)
    : nvml_(nvml), is_ours_(std::move(is_ours)) {
  const bool found = nvml_ && !bus.empty() && nvml_->init() == 0 &&
                     nvml_->device_by_bus(bus.c_str(), &device_) == 0;
  if (!found) nvml_.reset();
}

Conditions Monitor::conditions() const {
  Conditions out;
  if (!nvml_) return out;
  unsigned long long reasons = 0;
  out.known = nvml_->clock(device_, kSmClock, &out.sm_mhz) == 0 &&
              nvml_->clock(device_, kMemoryClock, &out.memory_mhz) == 0 &&
              nvml_->clock_reasons(device_, &reasons) == 0;
  if (!out.known) return {};
  out.reasons = reasons;
  std::array<NvmlProcess, 64> processes{};
  auto count = static_cast<unsigned>(processes.size());
  if (nvml_->processes(device_, &count, processes.data()) != 0) return out;
  const std::span<const NvmlProcess> all(processes.data(),
                                         std::min<std::size_t>(count, processes.size()));
  const auto own = static_cast<unsigned>(getpid());
  const auto is_self = [&](const NvmlProcess& one) { return one.id == own; };
  if (std::none_of(all.begin(), all.end(), is_self)) return out;
  out.other_processes =
      static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), [&](const NvmlProcess& one) {
        return !is_self(one) && !is_ours_(static_cast<pid_t>(one.id));
      }));
  return out;
}

// /proc/PID/stat: "PID (NAME) STATE PARENT ..."; the name may contain anything, so search for the
// last bracket.
bool is_sibling(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  const auto bracket = line.rfind(')');
  if (bracket == std::string::npos || bracket + 4 > line.size()) return false;
  return std::atoi(line.c_str() + bracket + 4) == getppid();
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double patience_for(const Platform& platform, double kernel_seconds) {
  return platform.patience < 0 ? -1 : platform.patience + kernel_seconds;
}

namespace {

int asked_ordinal() {
  const char* const text = std::getenv(kGpuVariable);
  if (text == nullptr) return 0;
  const std::string_view digits = text;
  int out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error == std::errc() && end == digits.data() + digits.size() && out >= 0) return out;
  throw base::UsageError(fmt::format("{}={}: must be the number of a GPU, from 0 on", kGpuVariable,
                                     base::escape_controls(text)));
}

}  // namespace

Platform load_platform(std::optional<int> gpu) {
  const int ordinal = gpu ? *gpu : asked_ordinal();
  const auto driver = load_driver();
  if (const auto* reason = std::get_if<std::string>(&driver)) throw base::ToolError(*reason);
  Platform out;
  out.driver = std::get<Driver>(driver);
  out.nvml = load_nvml();
  out.ordinal = ordinal;
  return out;
}

namespace {

struct Fault {
  Status status;
  base::DiagnosticKind kind;
  const char* text;  // follows "the kernel NAME "
};

// CUresult of cuda.h, CUDA 13.0.
constexpr std::array kFaults = {
    Fault{700, base::DiagnosticKind::kOutOfBounds,
          "read or wrote an address that belongs to no buffer; check every index against the size "
          "of what it indexes"},
    Fault{
        702, base::DiagnosticKind::kRunaway,
        "ran for longer than the display driver allows and was stopped; look for a loop that does "
        "not end"},
    Fault{710, base::DiagnosticKind::kTrap, "failed an assert"},
    Fault{714, base::DiagnosticKind::kTrap,
          "overflowed its call stack; look for deep recursion or very large local arrays"},
    Fault{715, base::DiagnosticKind::kTrap, "executed a trap or an illegal instruction"},
    Fault{
        716, base::DiagnosticKind::kMisaligned,
        "used an address that is not a multiple of the size of the access; a float4, say, must lie "
        "at a multiple of 16 bytes"},
    Fault{
        717, base::DiagnosticKind::kOutOfBounds,
        "used an address in the wrong kind of memory, such as a global address for shared memory"},
    Fault{718, base::DiagnosticKind::kTrap,
          "jumped to an address that holds no code; look for a broken function pointer"},
    Fault{719, base::DiagnosticKind::kTrap,
          "was stopped by an exception of the device, such as __trap() or an address outside of "
          "shared or local memory"},
};

}  // namespace

std::optional<base::Diagnostic> kernel_fault(Status status, const std::string& kernel) {
  const auto* const fault = std::find_if(kFaults.begin(), kFaults.end(),
                                         [&](const Fault& f) { return f.status == status; });
  if (fault == kFaults.end()) return std::nullopt;
  base::Diagnostic diagnostic;
  diagnostic.kind = fault->kind;
  diagnostic.message = fmt::format(
      "the kernel {} {} (a run on the simulator names line and thread)", kernel, fault->text);
  return diagnostic;
}

// The driver's line: "FILE:LINE: FUNCTION: block: [X,Y,Z], thread: [X,Y,Z] Assertion `TEXT`
// failed."
void add_assertion(std::vector<base::Diagnostic>& diagnostics, const std::string& kernel,
                   const std::string& printed) {
  static const std::regex kAssertion(
      "(?:^|\n)[^\n]*?:([0-9]{1,9}): [^\n]*: block: \\[([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})\\], "
      "thread: \\[([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})\\] Assertion `([^\n]*)` failed\\.");
  std::smatch found;
  if (!std::regex_search(printed, found, kAssertion)) return;
  const auto number = [&](std::size_t group) {
    return static_cast<std::uint32_t>(std::stoul(found[group].str()));
  };
  for (auto& diagnostic : diagnostics) {
    if (diagnostic.kind != base::DiagnosticKind::kTrap) continue;
    diagnostic.where.line = number(1);
    diagnostic.block = base::Dim3{number(2), number(3), number(4)};
    diagnostic.thread = base::Dim3{number(5), number(6), number(7)};
    diagnostic.message =
        fmt::format("the kernel {} failed the assertion {}", kernel, found[8].str());
  }
}

base::Diagnostic runaway(const std::string& kernel, double seconds) {
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kRunaway;
  diagnostic.message = fmt::format(
      "the kernel {} did not end within {} s and was stopped; look for a loop that does not end or "
      "a wait for another block",
      kernel, seconds);
  return diagnostic;
}

}  // namespace warpgrade::gpu
