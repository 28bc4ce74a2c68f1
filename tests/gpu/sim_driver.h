// SPDX-License-Identifier: Apache-2.0
// A CUDA driver made of the simulator: the GPU path without a GPU.
//
// Modules are PTX text, as for cuModuleLoadData, or machine code of a program that was registered
// with know(). Device memory is one piece of host memory, at the addresses of a launch's first
// buffer in the simulator. Allocations are adjacent, so a write slightly past one reaches the next
// without a fault, as on a card. Launches execute in order on the simulator, without its checks.
// The clock advances by the model's time of each launch, and by bytes over bandwidth for copies and
// fills; a script adds noise, throttling and faults. A module's variables live as long as the
// module. The host computes our own fingerprints of large buffers; fingerprint_test.cpp checks that
// the kernel gives the same.
//
// A fault is sticky: the launch succeeds, and every later call returns the fault. An endless
// kernel keeps its stream busy for ever; a call that would wait for it aborts the process instead
// of hanging.
//
// Not modelled: memory that is freed stays mapped, several streams, what malloc() keeps from launch
// to launch, registers of PTX (32 a thread).
//
// The driver's table holds plain function pointers, so the state is one global object per process;
// a forked worker has its own copy of it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/gpu/driver.h"
#include "common/gpu/platform.h"

namespace warpgrade::gpu::testing {

struct SimScript {
  std::string device = "h200";     ///< Profile.
  std::vector<std::string> names;  ///< One a card; empty: one, called as the profile's product.
  std::map<int, int> attributes;   ///< Attributes that differ from the profile.
  int l2_bytes = 1 << 20;          ///< Told to those who ask; small, so that tests are quick.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  /// For a block, in units of sim/work.h; beyond: no end. The slowest reference needs half of it.
  std::uint64_t block_budget = std::uint64_t{1} << 27;
  double noise = 0;        ///< A launch takes 1 + noise * u times as long, u from [-1, 1).
  std::uint64_t seed = 0;  ///< The seed of the noise.
  std::uint64_t throttled_from =
      std::numeric_limits<std::uint64_t>::max();  ///< Number of a launch.
  double throttle = 1;                            ///< Times as long from there on.
  std::map<std::uint64_t, Status>
      faults;  ///< Number of a launch, from 0 -> the fault it ends with.
};

/// The table, with a fresh device that follows `script`.
Driver sim_driver(const SimScript& script = {});

/// The same with a clock of the host that agrees with the device's; no management library.
Platform sim_platform(const SimScript& script = {});

/// From now on the device takes the machine code of `program`; a worker must be started after it.
void know(const compile::Program& program);

/// `program` with its PTX in the place of the machine code.
compile::Program as_ptx(compile::Program program);

/// Seconds that the device has worked.
double device_clock();
/// Bytes that are allocated now, and launches up to now.
std::uint64_t allocated_bytes();
std::uint64_t launches();

}  // namespace warpgrade::gpu::testing
