// SPDX-License-Identifier: Apache-2.0
// A driver for tests: device memory is host memory, a kernel is a function of the test.
//
// The driver's table holds plain function pointers, so the state is one global object per process;
// a forked worker has its own copy.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/gpu/driver.h"
#include "common/gpu/platform.h"

namespace warpgrade::gpu::testing {

/// Called with the launch's arguments in the place of the kernel.
using Kernel = std::function<void(void** arguments)>;

struct FakeDriver {
  std::vector<std::string> calls;         ///< Names of the table's members, in order.
  std::map<std::string, Kernel> kernels;  ///< By name; others are not found.
  std::vector<std::size_t> parameter_sizes = {8, 8, 4};  ///< Every kernel's but "fingerprint"'s.
  std::map<std::string, Status> failures;                ///< Member -> what it returns instead.
  bool never_ends = false;                               ///< event_query says "not ready" for ever.
  int device_count = 1;
  std::string device_name = "Fake GPU";
  std::map<int, int> attributes;  ///< Attributes that override or extend the driver's own.
  std::map<DevicePointer, std::unique_ptr<std::byte[]>> memory;  ///< Allocated now.
  std::map<DevicePointer, std::size_t> sizes;                    ///< Ever allocated.
  /// Freed memory with its contents at that time; for tests that need it.
  std::vector<std::unique_ptr<std::byte[]>> freed;
  bool keep_freed = false;
  std::size_t live_modules = 0;
  float milliseconds = 2.0F;  ///< Between any two events, where the clock below stands still.
  /// Seconds that a launch of a kernel takes by the fake's clock, by name; asked at each launch.
  std::map<std::string, std::function<double()>> durations;
  double clock = 0;                      ///< The device's and the host's: moved on by durations.
  std::array<unsigned, 3> cluster{};     ///< The extents of the last cluster.
  double event_scale = 1;                ///< Events run so much faster than the host's clock.
  std::vector<double> events;            ///< When each was recorded.
  std::string running;                   ///< The kernel found last.
  unsigned long long clock_reasons = 0;  ///< Told by NVML.
  std::vector<unsigned> processes;       ///< Others on the card.
  unsigned sm_mhz = 1980;

  std::size_t count(const std::string& call) const;
};

/// The state behind fake_driver()'s functions, reset by every call of fake_driver().
FakeDriver& fake();
Driver fake_driver();
/// The same with a fake NVML and the fake's clock.
Platform fake_platform();

/// The buffer that argument `index` of a Kernel points to.
float* pointer(void** arguments, int index);
std::vector<std::byte> bytes_of(const std::vector<float>& values);

}  // namespace warpgrade::gpu::testing
