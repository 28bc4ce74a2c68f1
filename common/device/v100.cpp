// SPDX-License-Identifier: Apache-2.0
// NVIDIA Tesla V100 PCIe 16 GB (Volta, cc 7.0).
//
// Sources: NVIDIA's data sheet and the Volta Tuning Guide; cuda_occupancy.h (allocation units);
// microbenchmarks of RRZE-HPC/gpu-benches at 1380 MHz, which are called "measured" below (pointer
// chase of one warp: 28, 212 and 425 clocks in L1, L2 and DRAM; L1 126 B a clock and SM; L2 2450
// GB/s; scale 809 GB/s). [est] marks an estimate: mostly the H200's number, or its number in
// clocks. Nothing here was held to a real card's counters or times.
#include "common/device/catalogue.h"

namespace warpgrade::device {
namespace {

constexpr double kClock = 1.38e9;

constexpr Profile v100() {
  Profile p;
  p.name = "v100";
  p.product = "NVIDIA Tesla V100";
  p.compute_major = 7;
  p.compute_minor = 0;
  p.architecture = "sm_75";  // CUDA 13 begins there

  p.sm_count = 80;
  p.sm_clock_hz = kClock;  // maximum boost
  p.schedulers_per_sm = 4;
  p.warp_instructions_per_clock_per_sm = 2;  // 16 lanes of 32-bit arithmetic a scheduler
  p.alu_latency_clocks = 4;                  // microbenchmarks since Volta
  p.division_slots = 24;                     // [est] as on the H200
  p.division_clocks = 130;                   // [est] likewise
  p.predicated_slots = 12;                   // [est] likewise
  p.tensor_products_per_clock_per_sm = 512;  // data sheet: 8 tensor cores, 64 a clock each
  p.tensor_latency_clocks = 18;              // [est] as on the H200
  p.max_threads_per_block = 1024;
  p.max_warps_per_sm = 64;
  p.max_blocks_per_sm = 32;
  p.registers_per_sm = 65536;
  p.register_unit = 256;  // registers a warp
  p.max_registers_per_thread = 255;
  p.shared_bytes_per_sm = 96 * 1024;
  p.shared_unit = 256;
  p.max_shared_bytes_per_block = 96 * 1024;

  p.coalescing = Coalescing::kSectors;
  p.shared_banks = SharedBanks::kThirtyTwo;
  p.l1_caches_global_loads = true;
  p.l1_bytes = 128 * 1024;  // together with shared memory
  p.l2_bytes = 6 * 1024 * 1024;
  p.l2_fetch_bytes = 64;  // [est] as on the H200

  p.launch_l2_read_sectors = 1000;  // [est] as on the H200, as the next two
  p.launch_l2_write_sectors = 50;
  p.launch_dram_read_bytes = 2816;

  p.dram_bytes_per_second = 898e9;           // 4096 bits at 877 MHz, double data rate
  p.dram_efficiency = 0.90;                  // measured: 809 GB/s
  p.l2_sectors_per_clock = 55;               // measured: 2450 GB/s
  p.l2_atomic_sectors_per_second = 33e9;     // [est] a third of the H200's, as L2's bandwidth
  p.l2_partial_writes_per_second = 18e9;     // [est] likewise
  p.port_bytes_per_clock_per_sm = 64;        // Volta: 64 B a clock between an SM and L2
  p.tag_lookups_per_clock_per_sm = 4;        // [est] as on the H200
  p.shared_wavefronts_per_clock_per_sm = 1;  // measured: L1 hands out 126 B a clock
  p.l2_latency_seconds = 212 / kClock;       // measured
  p.dram_latency_seconds = 425 / kClock;     // measured
  p.dram_loaded_latency_seconds = 650e-9;    // [est] the H200's share of the latency alone
  p.shared_latency_seconds = 28 / kClock;    // measured: an L1 hit
  p.barrier_clocks = 13;                     // [est] as on the H200, as the next three
  p.barrier_clocks_per_warp = 2;
  p.block_launch_seconds = 200e-9;
  p.blocks_per_second = 0.7e9;       // [est] by SMs and clock
  p.launch_overhead_seconds = 4e-6;  // [est]

  p.dram_page_bytes = 1024;              // [est] as on the H200, at a fifth of its bandwidth
  p.dram_page_seconds = 16e-12;          // [est]
  p.dram_written_page_seconds = 40e-12;  // [est]
  return p;
}

}  // namespace

constinit const Profile kV100 = v100();

}  // namespace warpgrade::device
