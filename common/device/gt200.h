// SPDX-License-Identifier: Apache-2.0
// Numbers that the cards with a GT200 have in common: GTX 280 and Tesla C1060 (cc 1.3).
//
// Sources: CUDA C Programming Guide 5.5, appendix G (limits, coalescing, banks); the CUDA occupancy
// calculator's table (allocation units); [est] marks an estimate.
#pragma once

#include "common/device/profile.h"

namespace warpgrade::device {

/// A GT200 without name, clocks of the memory and efficiency: those differ by card.
constexpr Profile gt200() {
  Profile p;
  p.compute_major = 1;
  p.compute_minor = 3;
  p.architecture = "sm_75";  // the oldest that the compiler in use still knows

  p.sm_count = 30;
  p.sm_clock_hz = 1.296e9;  // data sheets of both cards
  p.schedulers_per_sm = 1;
  p.warp_instructions_per_clock_per_sm = 0.25;  // 8 cores: a warp takes 4 clocks
  p.max_threads_per_block = 512;
  p.max_warps_per_sm = 32;
  p.max_blocks_per_sm = 8;
  p.registers_per_sm = 16384;
  p.register_unit = 512;  // registers a block (occupancy calculator)
  p.registers_by_warp = false;
  p.warp_unit = 2;                   // warps are paired for it (occupancy calculator)
  p.max_registers_per_thread = 124;  // Programming Guide, table 12: 128, less 4 that are reserved
  p.shared_bytes_per_sm = 16384;
  p.shared_unit = 512;
  p.shared_reserved_per_block = 16;  // [est] geometry; the arguments come on top
  p.max_shared_bytes_per_block = 16384;

  p.coalescing = Coalescing::kHalfWarpSegments;
  p.shared_banks = SharedBanks::kSixteenHalfWarp;
  p.partitions = 8;         // 512 bits of bus in channels of 64
  p.partition_width = 256;  // bytes; Ruetsch and Micikevicius 2010

  p.partition_queue_bytes = 8192;  // [est] as dram_page_seconds

  p.port_bytes_per_clock_per_sm = 16;          // [est] so that it never limits a full chip
  p.tag_lookups_per_clock_per_sm = 0.5;        // [est] a transaction every second clock
  p.shared_wavefronts_per_clock_per_sm = 0.5;  // a half-warp's pass takes two clocks
  p.dram_latency_seconds = 440 / 1.296e9;      // [est] 440 clocks, microbenchmarks on GT200
  p.shared_latency_seconds = 38 / 1.296e9;     // [est] 38 clocks, likewise
  p.alu_latency_clocks = 24;                   // [est] likewise: 6 warps hide it
  p.multiply_slots = 4;                        // Programming Guide: no 32-bit multiplier, 24 bits
  p.predicated_slots = 4;                      // Programming Guide 2.3, 5.1.1.2
  p.division_slots = 35;                       // [est] Programming Guide 2.3: "particularly costly"
  p.division_clocks = 35 * 24;                 // [est] each of them waits for the one before
  p.address_slots = 1;                         // addresses have 32 bits
  p.barrier_clocks = 40;                       // [est]
  p.barrier_clocks_per_warp = 4;               // [est] an issue slot each
  p.block_launch_seconds = 1.5e-6;             // [est] as dram_page_seconds
  p.launch_overhead_seconds = 5e-6;            // [est]
  p.speed_error = 0.15;  // a diagonal transpose of 512 x 512 doubles on a C1060

  // [est] These four and the launch of a block reproduce Ruetsch et al. 2010: a camped partition
  // writes its rows of 128 B at half of the peak, scattered 32 B at 0.7 of that.
  p.dram_page_bytes = 1024;
  p.dram_banks = 64;
  p.dram_page_seconds = 8e-9;
  return p;
}

}  // namespace warpgrade::device
