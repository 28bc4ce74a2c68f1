// SPDX-License-Identifier: Apache-2.0
// Compares our occupancy with the CUDA Toolkit's cuda_occupancy.h over a sweep, for the profiles
// whose compute capability that header covers.
//
// Assumptions: no preference for L1 (the default cache configuration and carve-out), so blocks can
// use all of the shared memory of an SM; dynamic shared memory with the kernel's limit raised to
// the most that a block can have; one barrier per block.
#if WARPGRADE_HAS_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "common/timing/bound.h"

namespace warpgrade::timing::occupancy_oracle_test {

#if WARPGRADE_HAS_CUDA_OCCUPANCY

// Values that a driver reports for the cards (Programming Guide, technical specifications): threads
// per SM, kilobytes of shared memory per SM, and kilobytes of it that each block reserves.
struct Told {
  std::uint32_t threads;
  std::size_t kilobytes;
  std::size_t reserved;
};
Told told_of(const device::Profile& profile) {
  switch (10 * profile.compute.major + profile.compute.minor) {
    case 70:
      return {2048, 96, 0};
    case 75:
      return {1024, 64, 0};
    case 80:
      return {2048, 164, 1};
    case 86:
    case 89:
      return {1536, 100, 1};
    case 90:
    case 100:
      return {2048, 228, 1};
    default:
      return {2048, 48, 0};
  }
}

int oracle(const device::Profile& profile, std::uint32_t threads, std::uint32_t registers,
           std::uint32_t shared_bytes, std::uint32_t barriers) {
  const Told of = told_of(profile);
  cudaOccDeviceProp device;
  device.computeMajor = static_cast<int>(profile.compute.major);
  device.computeMinor = static_cast<int>(profile.compute.minor);
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = static_cast<int>(of.threads);
  device.regsPerBlock = 65536;
  device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.sharedMemPerBlock = 48 * 1024;
  device.sharedMemPerMultiprocessor = of.kilobytes * 1024;
  device.sharedMemPerBlockOptin = (of.kilobytes - of.reserved) * 1024;
  device.reservedSharedMemPerBlock = of.reserved * 1024;
  device.numSms = static_cast<int>(profile.sm.count);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = 1024;
  function.numRegs = static_cast<int>(registers);
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = device.sharedMemPerBlockOptin;
  function.numBlockBarriers = static_cast<int>(barriers);
  const cudaOccDeviceState state;
  cudaOccResult result{};
  EXPECT_EQ(CUDA_OCC_SUCCESS,
            cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state,
                                                    static_cast<int>(threads), shared_bytes));
  return result.activeBlocksPerMultiprocessor;
}

TEST(OccupancyOracle, AgreesWithTheToolkitOverASweep) {
  for (const device::Profile* each : device::profiles()) {
    const device::Profile& profile = *each;
    if (profile.compute.major < 3) continue;  // the header begins there
    for (std::uint32_t threads = 1; threads <= 1024; threads = threads < 32 ? 32 : threads + 32) {
      for (std::uint32_t registers = 0; registers <= 255; registers += 5) {
        for (const std::uint32_t kilobytes :
             {0U, 1U, 3U, 4U, 12U, 24U, 47U, 48U, 49U, 63U, 80U, 98U, 113U, 162U, 226U}) {
          for (const std::uint32_t more : {0U, 1U, 128U, 1024U}) {
            const std::uint32_t shared = kilobytes * 1024 + more;
            const std::uint32_t barriers = (threads + registers) % 17;
            ASSERT_EQ(oracle(profile, threads, registers, shared, barriers),
                      static_cast<int>(
                          occupancy(profile, threads, registers, shared, barriers).blocks_per_sm))
                << profile.name << ": " << threads << " threads, " << registers << " registers, "
                << shared << " B, " << barriers << " barriers";
          }
        }
      }
    }
  }
}

#else

TEST(OccupancyOracle, AgreesWithTheToolkitOverASweep) {
  GTEST_SKIP() << "cuda_occupancy.h was not found when this was configured: install a CUDA Toolkit";
}

#endif

}  // namespace warpgrade::timing::occupancy_oracle_test
