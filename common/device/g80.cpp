// SPDX-License-Identifier: Apache-2.0
// GeForce 8800 GTX, the first CUDA card (cc 1.0, 2006).
//
// Sources: CUDA C Programming Guide 5.5, appendix G; the CUDA occupancy calculator's table
// (allocation units); NVIDIA's data sheet (clocks, bandwidth); [est] marks an estimate.
#include "common/device/catalogue.h"

namespace warpgrade::device {
namespace {

constexpr Profile g80() {
  Profile p;
  p.name = "g80";
  p.product = "NVIDIA GeForce 8800 GTX";
  p.compute_major = 1;
  p.compute_minor = 0;
  p.architecture = "sm_75";  // the oldest that the compiler in use still knows

  p.sm_count = 16;
  p.sm_clock_hz = 1.35e9;
  p.schedulers_per_sm = 1;
  p.warp_instructions_per_clock_per_sm = 0.25;  // 8 cores: a warp takes 4 clocks
  p.max_threads_per_block = 512;
  p.max_warps_per_sm = 24;
  p.max_blocks_per_sm = 8;
  p.registers_per_sm = 8192;
  p.register_unit = 256;  // registers a block (occupancy calculator)
  p.registers_by_warp = false;
  p.warp_unit = 2;                   // warps are paired for it (occupancy calculator)
  p.max_registers_per_thread = 124;  // Programming Guide, table 12: 128, less 4 that are reserved
  p.shared_bytes_per_sm = 16384;
  p.shared_unit = 512;
  p.shared_reserved_per_block = 16;  // [est] geometry; the arguments come on top
  p.max_shared_bytes_per_block = 16384;

  p.coalescing = Coalescing::kHalfWarpStrict;
  p.shared_banks = SharedBanks::kSixteenHalfWarp;
  p.partitions = 6;         // 384 bits of bus in channels of 64
  p.partition_width = 256;  // bytes; Ruetsch and Micikevicius 2010

  p.dram_bytes_per_second = 86.4e9;  // 384 bits at 900 MHz, double data rate
  p.dram_efficiency = 0.85;          // Harris: reduction 7 of 32M elements reads 73 GB/s
  p.partition_queue_bytes = 2048;    // [est] 32 transactions of 64 bytes

  p.port_bytes_per_clock_per_sm = 16;          // [est] so that it never limits a full chip
  p.tag_lookups_per_clock_per_sm = 0.5;        // [est] a transaction every second clock
  p.shared_wavefronts_per_clock_per_sm = 0.5;  // a half-warp's pass takes two clocks
  p.dram_latency_seconds = 500 / 1.35e9;       // [est] 400 to 600 clocks, Programming Guide
  p.shared_latency_seconds = 38 / 1.35e9;      // [est] as on GT200, as all of the following
  p.alu_latency_clocks = 24;
  p.multiply_slots = 4;    // Programming Guide: no 32-bit multiplier, 24 bits
  p.predicated_slots = 4;  // Programming Guide 2.3, 5.1.1.2
  p.division_slots = 35;
  p.division_clocks = 35 * 24;
  p.address_slots = 1;  // addresses have 32 bits
  p.barrier_clocks = 40;
  p.barrier_clocks_per_warp = 4;
  p.block_launch_seconds = 200 / 1.35e9;
  p.launch_overhead_seconds = 5e-6;

  p.dram_page_bytes = 2048;
  p.dram_banks = 16;
  p.dram_page_seconds = 3.4e-9;
  return p;
}

}  // namespace

constinit const Profile kG80 = g80();

}  // namespace warpgrade::device
