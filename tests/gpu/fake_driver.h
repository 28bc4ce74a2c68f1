// SPDX-License-Identifier: Apache-2.0
// A driver for tests: device memory is host memory, and a kernel is a function of the test.
//
// The driver's table contains plain function pointers, so the state is one global object per
// process. A forked worker has its own copy.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/gpu/platform.h"

namespace warpgrade::gpu::testing {

/// Replaces a kernel. It receives the arguments of the launch.
using Kernel = std::function<void(void** arguments)>;

struct FakeDriver {
  std::vector<std::string> calls;         ///< Called members of the driver's table, in order.
  std::map<std::string, Kernel> kernels;  ///< By name; others do not exist.
  std::vector<std::size_t> parameter_sizes = {8, 8, 4};  ///< Not of harness kernels.
  std::map<std::string, Status> failures;                ///< Member -> status to return instead.
  bool never_ends = false;                               ///< event_query() always says "not ready".
  int device_count = 1;
  std::string device_name = "Fake GPU";
  std::map<int, int> attributes;  ///< Attributes that override or extend the driver's own.
  std::map<DevicePointer, std::unique_ptr<std::byte[]>> memory;  ///< Current allocations.
  std::map<DevicePointer, std::size_t> sizes;                    ///< All allocations so far.
  /// Freed memory with its contents when it was freed. Only filled if `keep_freed` is set.
  std::vector<std::unique_ptr<std::byte[]>> freed;
  bool keep_freed = false;
  std::size_t live_modules = 0;
  float milliseconds = 2.0F;  ///< Between two events, if the clock below does not advance.
  /// Kernel name -> seconds that a launch takes on the fake's clock. Called at each launch.
  std::map<std::string, std::function<double()>> durations;
  double clock = 0;                      ///< Seconds of device and host, from `durations`.
  std::array<unsigned, 3> cluster{};     ///< The extents of the last cluster.
  double event_scale = 1;                ///< How much faster events run than the host's clock.
  std::vector<double> events;            ///< The time at which each was recorded.
  std::string running;                   ///< The kernel looked up last.
  unsigned long long clock_reasons = 0;  ///< Reported by NVML.
  std::vector<unsigned> processes;       ///< Other processes on the card, reported by NVML.
  unsigned sm_mhz = 1980;

  std::size_t count(const std::string& call) const;
};

/// The state behind fake_driver()'s functions, reset by every call of fake_driver().
FakeDriver& fake();
Driver fake_driver();
/// The fake driver with a fake NVML and the fake's clock.
Platform fake_platform();

/// The buffer that argument `index` of a Kernel points to.
float* pointer(void** arguments, int index);
std::vector<std::byte> bytes_of(const std::vector<float>& values);

}  // namespace warpgrade::gpu::testing
