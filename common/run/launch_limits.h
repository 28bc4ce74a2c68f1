// SPDX-License-Identifier: Apache-2.0
// Checks a launch against the limits of CUDA or of a device, and explains what exceeds them.
//
// The limits are those of the grid, of the block and of shared memory. A card refuses more than
// 48 KB of shared memory per block unless host code raises the kernel's limit. The simulator
// accepts it, so the reader gets a note.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/place.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/runner.h"

namespace warpgrade::run {

struct LaunchLimits {
  base::Dim3 grid{0x7fffffff, 65535, 65535};
  base::Dim3 block{1024, 1024, 64};
  std::uint32_t threads_per_block = 1024;
  std::uint32_t shared_bytes_per_block = 227 * 1024;  ///< Static plus dynamic.
  std::string device;                                 ///< The device with these limits; empty: any.
};

/// The limits of `profile`. The limits on the grid are CUDA's, because profiles have none.
LaunchLimits limits_of(const device::Profile& profile);

/// "a grid is at most 2147483647 x 65535 x 65535 blocks on k40"; empty if the grid is valid.
std::string wrong_grid(const base::Dim3& grid, const LaunchLimits& limits);
/// "a block has at most 1024 threads on k40, and 64 in z"; empty if the block is valid.
std::string wrong_block(const base::Dim3& block, const LaunchLimits& limits);
/// "a block has at most 49152 bytes of shared memory on k40"; empty if the size is valid.
std::string wrong_shared_bytes(std::uint64_t bytes, const LaunchLimits& limits);
/// The first of the three with its cause: "grid 1 x 70000 x 1: a grid is at most ...".
std::string wrong_launch(const base::Dim3& grid, const base::Dim3& block,
                         std::uint64_t shared_bytes, const LaunchLimits& limits);

/// Heap size of malloc() in a launch, and limit on its printf output (part of the contract).
constexpr std::size_t kHeapBytes = std::size_t{8} << 20;
/// The device addresses that malloc() returns in the simulator: kHeapWindow bytes from kHeapBase
/// on.
constexpr std::uint64_t kHeapBase = 0x6c00'0000'0000;
constexpr std::uint64_t kHeapWindow = std::uint64_t{1} << 42;
constexpr std::size_t kPrintedBytes = std::size_t{1} << 20;

// Launches with more than 48 KB of shared memory per block. A card refuses them unless host code
// has raised the kernel's limit. The simulator accepts them, so the reader gets a note.

/// The host call that a card needs before `sequence`, for the launch with the most dynamic shared
/// memory; empty if no launch needs it. `program` contains the kernels.
std::string shared_attribute_text(const Sequence& sequence, const compile::Program& program);

}  // namespace warpgrade::run
