// SPDX-License-Identifier: Apache-2.0
// A CUDA driver made of the simulator: the GPU path without a GPU.
//
// Modules are PTX text, as for cuModuleLoadData, or machine code of a program that was registered
// with know(). Device memory is one piece of host memory, at the addresses of a launch's first
// buffer in the simulator. Allocations are adjacent, so a write slightly past one reaches the next
// without a fault, as on a card. Launches execute in order on the simulator, without its checks.
// The clock advances by the model's time of each launch, and by bytes over bandwidth for copies and
// fills; a script adds noise, throttling and faults. A module's variables live as long as the
// module. The host computes the harness's own fingerprints of large buffers; timed_memory_test.cpp
// checks that the kernel computes the same.
//
// A fault is sticky: the launch succeeds, and every later call returns the fault. An endless kernel
// keeps its stream busy forever; a call that would wait for it aborts the process instead of
// hanging.
//
// Not modelled: freed memory is not unmapped, there is only one stream, the heap of malloc() does
// not outlive a launch, and PTX modules use 32 registers per thread.
//
// The driver's table contains plain function pointers, so the state is one global object per
// process. A forked worker has its own copy of it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/gpu/platform.h"

namespace warpgrade::gpu::testing {

struct SimScript {
  std::string device = "h200";     ///< The profile's name.
  std::vector<std::string> names;  ///< One product per card; empty: one card, the profile's.
  std::map<int, int> attributes;   ///< Attributes that differ from the profile.
  int l2_bytes = 1 << 20;          ///< Reported size of L2; small, so tests are fast.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  /// Work limit of a block, in units of sim/micro_op.h. A block beyond it counts as endless. The
  /// slowest reference needs half of it.
  std::uint64_t block_budget = std::uint64_t{1} << 27;
  double noise = 0;        ///< A launch takes 1 + noise * u times as long, u from [-1, 1).
  std::uint64_t seed = 0;  ///< The seed of the noise.
  std::uint64_t throttled_from =
      std::numeric_limits<std::uint64_t>::max();  ///< Number of the first throttled launch, from 0.
  double throttle = 1;                            ///< Slowdown from that launch on.
  std::map<std::uint64_t, Status> faults;         ///< Number of a launch, from 0 -> its fault.
};

/// The driver's table, with a fresh device that follows `script`.
Driver sim_driver(const SimScript& script = {});

/// The same driver with a host clock that agrees with the device's, and without a management
/// library.
Platform sim_platform(const SimScript& script = {});

/// Registers `program`: from now on the device accepts its machine code. Start workers after this
/// call.
void know(const compile::Program& program);

/// `program` with its PTX instead of the machine code.
compile::Program as_ptx(compile::Program program);

/// The device's clock: seconds of work so far.
double device_clock();
/// Bytes allocated now, and the number of launches so far.
std::uint64_t allocated_bytes();
std::uint64_t launches();

}  // namespace warpgrade::gpu::testing
