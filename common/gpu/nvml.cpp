// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>

namespace warpgrade::gpu {
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

}  // namespace warpgrade::gpu
