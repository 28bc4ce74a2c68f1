// SPDX-License-Identifier: Apache-2.0
// NVIDIA H200 (Hopper, cc 9.0).
//
// Sources: NVIDIA's data sheet and the Hopper Tuning Guide; cuda_occupancy.h (allocation units);
// counters of Nsight Compute and times measured on one H200, the files of
// tests/evidence/golden/h200, which are called "measured" below; [est] marks an estimate.
#include "common/device/catalogue.h"

namespace warpgrade::device {
namespace {

constexpr Profile h200() {
  Profile p;
  p.name = "h200";
  p.product = "NVIDIA H200";
  p.compute_major = 9;
  p.compute_minor = 0;
  p.architecture = "sm_90";

  p.sm_count = 132;
  p.sm_clock_hz = 1.98e9;  // maximum boost; the tag stage is measured to run at 0.94 of it or more
  p.schedulers_per_sm = 4;
  p.warp_instructions_per_clock_per_sm = 4;
  p.alu_latency_clocks = 4;  // microbenchmarks since Volta
  // 18 instructions (measured), of which 3 go through a unit of 4 lanes a scheduler.
  p.division_slots = 24;
  p.division_clocks = 130;  // measured: 69 without those 3
  p.alu_lanes_per_sm = 64;  // Programming Guide, throughput of cc 9.0: these four
  p.xu_lanes_per_sm = 16;
  p.fp64_lanes_per_sm = 64;
  p.fma_heavy_lanes_per_sm = 64;
  p.predicated_slots = 12;  // measured: what idle warps of reductions issue
  // Measured (tests/evidence/golden/h200_mma/times.txt): m16n8k16 of f16 takes a scheduler 6
  // clocks, m16n8k8 4, f64 one for 32 products. mma does not reach the peak of 2048, which takes
  // wgmma.
  p.tensor_products_per_clock_per_sm = 4 * 2048 / 6.0;
  p.tensor_double_products_per_clock_per_sm = 128;
  p.tensor_least_clocks = 4;
  p.tensor_latency_clocks = 18;  // measured: 24.3 clocks in a chain of m16n8k16, 82.3 of f64
  p.max_threads_per_block = 1024;
  p.max_warps_per_sm = 64;
  p.max_blocks_per_sm = 32;
  p.registers_per_sm = 65536;
  p.register_unit = 256;  // registers a warp
  p.max_registers_per_thread = 255;
  p.shared_bytes_per_sm = 228 * 1024;
  p.shared_unit = 128;
  p.shared_reserved_per_block = 1024;
  p.max_shared_bytes_per_block = 227 * 1024;

  p.coalescing = Coalescing::kSectors;
  p.shared_banks = SharedBanks::kThirtyTwo;
  p.l1_caches_global_loads = true;
  p.l1_bytes = 256 * 1024;       // together with shared memory
  p.l1_most_bytes = 205 * 1024;  // measured on a GH200 (gpu-benches, gpu-latency)
  p.l2_bytes = 60 * 1024 * 1024;
  p.l2_halves = 2;        // measured: 1.5 L2 sectors for each that L1 asks for or writes
  p.l2_fetch_bytes = 64;  // measured: a load of every 16th float doubles DRAM's bytes

  // Measured on launches of 64 blocks whose own traffic is known (probe_gstride, probe_g64).
  p.launch_l2_read_sectors = 1000;
  p.launch_l2_write_sectors = 50;
  p.launch_dram_read_bytes = 2816;

  p.dram_bytes_per_second = 4.8e12;
  p.dram_efficiency = 0.885;               // measured: cudaMemcpy device to device, 4250 GB/s
  p.l2_sectors_per_clock = 153;            // gpu-benches on an H200: 9670 GB/s of loads
  p.l2_load_lines_per_second = 157e9;      // measured: one sector of each
  p.l2_store_lines_per_second = 63.9e9;    // measured: naive transpose of 8192 x 8192 in 1.0496 ms;
                                           // 74e9 to 78e9 of stores that stay in L2
  p.l2_stored_sectors_per_second = 138e9;  // measured: 4.4 TB/s
  p.l2_atomic_sectors_per_second = 100e9;  // measured: 93e9 to 115e9
  p.port_bytes_per_clock_per_sm = 35;  // measured, of 64 nominal: 8 multiprocessors, lines in L2
  p.port_stored_bytes_per_clock_per_sm = 24;  // measured likewise
  p.tag_lookups_per_clock_per_sm = 4;         // measured: 32 lines without a conflict in 8.8 clocks
  p.shared_wavefronts_per_clock_per_sm = 1;   // 128 B a clock
  p.l2_latency_seconds = 145e-9;              // measured: 287 clocks, pointer chase within 16 MB
  p.dram_latency_seconds = 333e-9;            // measured: 660 clocks, pointer chase through 1 GB
  p.dram_loaded_latency_seconds = 700e-9;     // measured: one 128 B load in flight a warp, 64 warps
  p.barrier_clocks = 13;                      // measured: 13 clocks and 2 a warp, of all blocks
  p.barrier_clocks_per_warp = 2;
  p.block_launch_seconds = 200e-9;         // [est]
  p.blocks_per_second = 1.65e9;            // measured: blocks that do nothing
  p.shared_latency_seconds = 29 / 1.98e9;  // 29 clocks, microbenchmarks on the H100
  p.launch_overhead_seconds = 4e-6;  // measured: cudaMemcpy's times from 8 to 2147 MB, extrapolated
  p.launch_gap_seconds = 1.8e-6;     // measured: 20 copies of 64 MB one after the other, and one
  p.speed_error = 0.18;              // the second of Harris's reductions

  // Measured at 8192 x 8192: a copy whose tiles are written in another order takes 10 % longer than
  // one through shared memory, one whose tiles are read so too, 14 %.
  p.dram_page_bytes = 1024;
  p.dram_page_seconds = 3e-12;
  p.dram_written_page_seconds = 7.5e-12;
  // Measured: 42e9 loads of 4 to 64 bytes a second at random in 4 GB, 29e9 stores of a sector.
  p.dram_lone_read = 1.5;
  p.dram_lone_written = 1.8;
  return p;
}

}  // namespace

constinit const Profile kH200 = h200();

}  // namespace warpgrade::device
