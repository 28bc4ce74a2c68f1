// SPDX-License-Identifier: Apache-2.0
// Numbers that the cards with a GK110 have in common: Tesla K20X, Tesla K40, GTX TITAN Black (cc
// 3.5).
//
// Sources: CUDA C Programming Guide 5.5, appendix G; Kepler Tuning Guide (loads of global memory
// are cached in L2 only, shared memory has 32 banks of 64 bits); cuda_occupancy.h (allocation
// units); [est] marks an estimate.
#pragma once

#include "common/device/profile.h"

namespace warpgrade::device {

/// A GK110 with `sm_count` SMs at `sm_clock_hz`, without name and bandwidth.
constexpr Profile gk110(std::uint32_t sm_count, double sm_clock_hz) {
  Profile p;
  p.compute_major = 3;
  p.compute_minor = 5;
  p.architecture = "sm_75";  // the oldest that the compiler in use still knows

  p.sm_count = sm_count;
  p.sm_clock_hz = sm_clock_hz;
  p.schedulers_per_sm = 4;
  p.warp_instructions_per_clock_per_sm = 6;  // 192 cores; 4 schedulers, each can issue two
  p.max_threads_per_block = 1024;
  p.max_warps_per_sm = 64;
  p.max_blocks_per_sm = 16;
  p.registers_per_sm = 65536;
  p.register_unit = 256;  // registers a warp
  p.max_registers_per_thread = 255;
  p.shared_bytes_per_sm = 48 * 1024;  // with the default split of the 64 KB, 16 KB is L1
  p.shared_unit = 256;
  p.max_shared_bytes_per_block = 48 * 1024;

  p.coalescing = Coalescing::kSectors;
  p.shared_banks = SharedBanks::kKepler32;
  p.l1_bytes = 64 * 1024;
  p.l2_bytes = 1536 * 1024;

  p.l2_sectors_per_clock = 24;  // [est] 768 B a clock: six memory controllers, 128 B each
  // A naive transpose of 2048 x 2048 floats on a K20X reaches 92.0 GiB/s (Ruetsch et al. 2010):
  // 4194304 partial writes in 0.34 ms at 732 MHz, 17 a clock of the SM.
  p.l2_partial_writes_per_second = 17 * sm_clock_hz;
  p.port_bytes_per_clock_per_sm = 64;  // [est]
  // [est] The same naive transpose looks up 33 lines a request: at least 1.25 a clock.
  p.tag_lookups_per_clock_per_sm = 1.25;
  p.shared_wavefronts_per_clock_per_sm = 1;  // 256 B a clock and SM
  p.alu_latency_clocks = 10;                 // [est] 9 to 11, microbenchmarks on Kepler
  p.multiply_slots = 3;     // Programming Guide: 32 a clock and SM of 160 additions
  p.predicated_slots = 7;   // Programming Guide 5.5, 5.4.2
  p.division_slots = 24;    // [est] as many instructions as later, at other rates
  p.division_clocks = 300;  // [est]
  p.l2_latency_seconds = 220 / sm_clock_hz;           // [est] microbenchmarks on Kepler
  p.dram_latency_seconds = 350 / sm_clock_hz;         // [est] likewise
  p.dram_loaded_latency_seconds = 700 / sm_clock_hz;  // [est] twice that, as on the H200
  p.shared_latency_seconds = 48 / sm_clock_hz;        // [est] likewise
  p.barrier_clocks = 20;                              // [est] likewise
  p.barrier_clocks_per_warp = 1;                      // [est]
  p.block_launch_seconds = 300e-9;                    // [est]
  p.launch_overhead_seconds = 5e-6;                   // [est]
  p.speed_error = 0.31;                               // a fine-grained transpose on a K20X

  // [est] The H200's proportion of reading to writing; as large as the loss of the transposes that
  // Ruetsch et al. 2010 publish for a K20X asks for.
  p.dram_page_bytes = 1024;
  p.dram_page_seconds = 1.9e-10;
  p.dram_written_page_seconds = 5.2e-10;
  return p;
}

}  // namespace warpgrade::device
