// SPDX-License-Identifier: Apache-2.0
// Which grid, block and shared memory a launch may have, and what is wrong with one that exceeds
// that, in words.
//
// The defaults are what CUDA accepts on every device since compute capability 3.0, and the shared
// memory of the device here that has the most of it (CUDA C++ Programming Guide, technical
// specifications). A profile narrows them, and so does the driver of a real GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/dim3.h"
#include "common/device/profile.h"

namespace warpgrade::run {

struct LaunchLimits {
  base::Dim3 grid{0x7fffffff, 65535, 65535};
  base::Dim3 block{1024, 1024, 64};
  std::uint32_t threads_per_block = 1024;
  std::uint32_t shared_bytes_per_block = 227 * 1024;  ///< Static and dynamic together.
  std::string device;                                 ///< Whose limits; empty: any device's.
};

/// The limits of `profile`. Those on the grid are not in the profile: they are CUDA's.
LaunchLimits limits_of(const device::Profile& profile);

/// "a grid is at most 2147483647 x 65535 x 65535 blocks on k40"; empty where nothing is wrong.
std::string wrong_grid(const base::Dim3& grid, const LaunchLimits& limits);
/// "a block has at most 1024 threads on k40, and 64 in z"; empty where nothing is wrong.
std::string wrong_block(const base::Dim3& block, const LaunchLimits& limits);
/// "a block has at most 49152 bytes of shared memory on k40"; empty where nothing is wrong.
std::string wrong_shared_bytes(std::uint64_t bytes, const LaunchLimits& limits);
/// The first of the three, behind its cause: "grid 1 x 70000 x 1: a grid is at most ...".
std::string wrong_launch(const base::Dim3& grid, const base::Dim3& block,
                         std::uint64_t shared_bytes, const LaunchLimits& limits);

/// Bytes that malloc() hands out in a launch, and that printf keeps of one (the contract's).
constexpr std::size_t kHeapBytes = std::size_t{8} << 20;
constexpr std::size_t kPrintedBytes = std::size_t{1} << 20;

}  // namespace warpgrade::run
