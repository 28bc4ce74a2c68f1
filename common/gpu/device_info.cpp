// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/device_info.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/error.h"
#include "common/gpu/platform.h"

namespace warpgrade::gpu {
namespace {

// The memory transfers data on both edges of the clock that the driver reports.
constexpr double kTransfersPerClock = 2;

// 0 if the driver does not know the attribute; older ones may not.
std::uint32_t known_attribute(const Driver& driver, int which, int device) {
  int value = 0;
  if (driver.device_get_attribute(&value, which, device) != kSuccess) return 0;
  return static_cast<std::uint32_t>(value < 0 ? 0 : value);
}

std::uint32_t required_attribute(const Driver& driver, int which, int device) {
  int value = 0;
  DRIVER_CALL(driver, device_get_attribute, &value, which, device);
  return static_cast<std::uint32_t>(value);
}

double bandwidth(double clock_hz, double width_bits) {
  return kTransfersPerClock * clock_hz * width_bits / 8;
}

}  // namespace

bool DeviceInfo::is_slice() const { return name.find(" MIG ") != std::string::npos; }

DeviceInfo device_info(const Driver& driver, int ordinal, int count, int device) {
  DeviceInfo out;
  out.ordinal = static_cast<std::uint32_t>(ordinal);
  out.count = static_cast<std::uint32_t>(count);
  std::array<char, 256> name{};
  DRIVER_CALL(driver, device_get_name, name.data(), static_cast<int>(name.size()), device);
  out.name = name.data();
  out.compute_major = required_attribute(driver, kComputeMajor, device);
  out.compute_minor = required_attribute(driver, kComputeMinor, device);
  out.architecture = fmt::format("sm_{}{}", out.compute_major, out.compute_minor);
  out.l2_bytes = required_attribute(driver, kL2CacheSize, device);
  if (driver.device_get_bus != nullptr) {
    std::array<char, 64> bus{};
    DRIVER_CALL(driver, device_get_bus, bus.data(), static_cast<int>(bus.size()), device);
    out.bus = bus.data();
  }
  const auto known = [&](int which) { return known_attribute(driver, which, device); };
  out.sm_count = known(kMultiprocessors);
  out.max_threads_per_block = known(kMaxThreadsPerBlock);
  out.max_threads_per_sm = known(kMaxThreadsPerSm);
  out.max_blocks_per_sm = known(kMaxBlocksPerSm);
  out.registers_per_sm = known(kRegistersPerSm);
  out.shared_bytes_per_sm = known(kSharedPerSm);
  out.shared_reserved_per_block = known(kSharedReservedPerBlock);
  out.max_shared_bytes_per_block = known(kMaxSharedPerBlock);
  out.sm_clock_hz = 1e3 * known(kClockKilohertz);
  out.memory_bytes_per_second =
      bandwidth(1e3 * known(kMemoryClockKilohertz), known(kMemoryWidthBits));
  out.is_integrated = known(kIsIntegrated) != 0;
  out.has_watchdog = known(kHasWatchdog) != 0;
  int version = 0;
  if (driver.driver_version != nullptr && driver.driver_version(&version) == kSuccess) {
    out.driver_cuda = static_cast<std::uint32_t>(version);
  }
  std::size_t bytes = 0;
  if (driver.device_total_memory != nullptr &&
      driver.device_total_memory(&bytes, device) == kSuccess) {
    out.memory_bytes = bytes;
  }
  return out;
}

void add_bandwidth(DeviceInfo& info, const std::optional<Nvml>& nvml) {
  constexpr int kMemoryClock = 2;  // NVML_CLOCK_MEM
  void* device = nullptr;
  unsigned megahertz = 0;
  unsigned bits = 0;
  const bool is_known = info.memory_bytes_per_second > 0;
  if (is_known || !nvml || nvml->max_clock == nullptr || nvml->memory_width == nullptr) return;
  if (info.bus.empty() || nvml->init() != 0) return;
  if (nvml->device_by_bus(info.bus.c_str(), &device) != 0) return;
  if (nvml->max_clock(device, kMemoryClock, &megahertz) != 0) return;
  if (nvml->memory_width(device, &bits) != 0) return;
  info.memory_bytes_per_second = bandwidth(1e6 * megahertz, bits);
}

std::vector<std::string> remarks(const DeviceInfo& info) {
  std::vector<std::string> out;
  if (info.count > 1) {
    out.push_back(
        fmt::format("This machine shows {} GPUs: this is number {}, {}, at {}. --gpu N takes "
                    "another one; CUDA_VISIBLE_DEVICES says which there are.",
                    info.count, info.ordinal, info.name, info.bus));
  }
  if (info.is_slice()) {
    out.push_back(
        "The GPU is a slice of a card (MIG): others may use the rest of it, so speeds are those of "
        "the slice beside what they do.");
  }
  if (info.is_integrated) {
    out.push_back(
        "The GPU is integrated: its memory is the host's, so whatever else runs on this machine "
        "takes part of the bandwidth.");
  }
  if (info.has_watchdog) {
    out.push_back(
        "The GPU drives a display: its driver ends a kernel that runs for seconds, and what the "
        "display draws disturbs measurements.");
  }
  return out;
}

namespace {

constexpr auto kPoll = std::chrono::milliseconds(5);

// Without O_CREAT first, because Linux refuses to create over another user's file in /tmp.
int open_file(const std::string& path) {
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file >= 0 || errno != ENOENT) return file;
  constexpr mode_t kEverybody = 0666;
  file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kEverybody);
  if (file >= 0) static_cast<void>(fchmod(file, kEverybody));  // the umask may be narrower
  return file;
}

std::string lock_path(const std::filesystem::path& folder, const std::string& bus) {
  auto name = bus.empty() ? std::string("0") : bus;
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return (folder / fmt::format("warpgrade-gpu-{}.lock", name)).string();
}

}  // namespace

std::filesystem::path make_lock_file(const std::filesystem::path& folder, const std::string& bus) {
  auto path = lock_path(folder, bus);
  if (const int file = open_file(path); file >= 0) close(file);
  return path;
}

DeviceLock::DeviceLock(const std::filesystem::path& folder, const std::string& bus,
                       double patience) {
  const auto path = lock_path(folder, bus);
  file_ = open_file(path);
  if (file_ < 0) {
    throw base::ToolError(
        fmt::format("the lock of the GPU, {}, cannot be opened: {}", path, std::strerror(errno)));
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if ((errno == EWOULDBLOCK || errno == EINTR) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    const auto why = errno == EWOULDBLOCK
                         ? fmt::format("another grader has held it for {} s", patience)
                         : std::string(std::strerror(errno));
    close(file_);
    throw base::ToolError(
        fmt::format("the GPU cannot be had for a measurement: {} ({})", why, path));
  }
}

DeviceLock::~DeviceLock() { close(file_); }

std::filesystem::path lock_folder() { return P_tmpdir; }

}  // namespace warpgrade::gpu
