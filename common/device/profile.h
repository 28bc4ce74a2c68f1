// SPDX-License-Identifier: Apache-2.0
// A GPU as named numbers: everything that the memory rules, the occupancy calculator and the time
// model know of a card. A TOML file fills one of these and says where each number comes from
// (profile_reader.h): those of the folder profiles are part of the program, others are read as
// asked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade::device {

/// How a warp's global accesses become transactions.
enum class Coalescing {
  kHalfWarpStrict,    ///< cc 1.0: k-th lane, k-th word of one aligned segment, else one a lane.
  kHalfWarpSegments,  ///< cc 1.2, 1.3: segments of 32, 64 or 128 bytes a half-warp.
  kSectors,           ///< From Kepler on: distinct 32-byte sectors of the warp.
};

/// How a warp's shared accesses become wavefronts.
enum class SharedBanks {
  kSixteenHalfWarp,  ///< cc 1.x: 16 banks of 4 bytes, half-warps apart.
  kKepler32,         ///< cc 3.x, 4-byte mode: 32 banks, 64 bits a bank a clock.
  kKepler64,         ///< cc 3.x, 8-byte mode.
  kThirtyTwo,        ///< From Maxwell on: 32 banks of 4 bytes; wide requests split.
};

/// By which rule a line of 128 bytes finds one of the four banks of L1's tag stage, where L1 and
/// shared memory are one (memory/l1_tags.h).
enum class TagBanks {
  kAmpere,  ///< The rule of an A100; [est] for others before Hopper.
  kHopper,  ///< The rule of an H200; [est] for later ones.
};

/// The g80's, of Harris's reductions (tests/timing/calibration_older_test.cpp).
inline constexpr double kLargestSpeedError = 0.35;

struct Profile {
  // Who it is.
  std::string name;       ///< Command-line name: "k40".
  std::string product;    ///< "NVIDIA Tesla K40".
  std::string validated;  ///< The published or measured results that it was held to; "": none.
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;
  /// Lanes of a warp make progress by themselves: since Volta.
  bool has_independent_lanes() const { return compute_major >= 7; }
  std::string architecture;  ///< NVRTC compiles for it: "sm_75" on older devices, "sm_90".

  // Multiprocessors and their limits.
  std::uint32_t sm_count = 0;
  double sm_clock_hz = 0;  ///< The clock that a long kernel runs at.
  std::uint32_t schedulers_per_sm = 0;
  double warp_instructions_per_clock_per_sm = 0;  ///< Issue rate for 32-bit arithmetic.
  std::uint32_t alu_latency_clocks = 0;  ///< From an instruction to one that uses its result.
  std::uint32_t multiply_slots = 1;      ///< Issue slots of a 32-bit integer multiplication ...
  std::uint32_t division_slots = 0;      ///< ... and division or remainder ...
  std::uint32_t division_clocks = 0;     ///< ... whose result takes so long ...
  std::uint32_t predicated_slots = 0;    ///< Longest branch, in slots, that is predicated.
  std::uint32_t address_slots = 2;       ///< ... and of an addition of two addresses.
  // Lanes a clock and SM of pipes that are narrower than the issue slots (CUDA C++ Programming
  // Guide, arithmetic instructions); 0: they never limit.
  double alu_lanes_per_sm = 0;  ///< Logic, shifts, comparisons.
  double xu_lanes_per_sm = 0;   ///< Functions that are looked up, integers to floats and back.
  // Where machine code is read: clocks until the result of one of these is there, or one of another
  // lane, and of a branch that is taken beside its issue.
  double xu_latency_clocks = 0;
  double exchange_clocks = 0;
  double branch_clocks = 0;
  // A loop of loads and swaps in shared memory (memory/shared_loop.h): clocks of a round of a warp
  // alone, and of them from the load to the swap, in which no other warp may change the word.
  double swap_round_clocks = 0;
  double swap_window_clocks = 0;
  double fp64_lanes_per_sm = 0;                 ///< Arithmetic of f64.
  double fma_heavy_lanes_per_sm = 0;            ///< Products of integers of 32 bits.
  double tensor_products_per_clock_per_sm = 0;  ///< Multiplications of f16 by mma, and additions;
                                                ///< int8: twice, tf32: half; 0: no tensor cores.
  double tensor_double_products_per_clock_per_sm = 0;  ///< Likewise of f64.
  std::uint32_t tensor_least_clocks = 0;    ///< Clocks of a scheduler, for one instruction.
  std::uint32_t tensor_latency_clocks = 0;  ///< Added to them, until the result is there.
  std::uint32_t max_threads_per_block = 0;
  std::uint32_t max_warps_per_sm = 0;
  std::uint32_t max_blocks_per_sm = 0;
  std::uint32_t registers_per_sm = 0;
  std::uint32_t register_unit = 0;  ///< Registers are given out in multiples of this ...
  bool registers_by_warp = true;    ///< ... a warp, or (cc 1.x) a block.
  std::uint32_t warp_unit = 1;      ///< Warps of a block are counted in multiples of this for it.
  std::uint32_t max_registers_per_thread = 0;
  std::uint32_t shared_bytes_per_sm = 0;
  std::uint32_t shared_unit = 0;                ///< Bytes; shared memory is given out in multiples.
  std::uint32_t shared_reserved_per_block = 0;  ///< Bytes the launch itself takes.
  std::uint32_t max_shared_bytes_per_block = 0;

  // Memory rules.
  Coalescing coalescing{};
  SharedBanks shared_banks{};
  TagBanks tag_banks{};
  bool l1_caches_global_loads = false;
  std::uint32_t l1_bytes = 0;       ///< L1 (with shared memory where they are one) an SM ...
  std::uint32_t l1_most_bytes = 0;  ///< ... of which loads find so much at most; 0: all of it.
  std::uint32_t l2_bytes = 0;       ///< 0: global memory is not cached.
  /// L2 holds at most so much that has yet to be written to DRAM; 0: as much as it holds at all.
  std::uint32_t l2_dirty_bytes = 0;
  std::uint32_t l2_halves = 1;  ///< An address is at home in one; the others ask that one.
  std::uint32_t l2_fetch_bytes =
      32;                        ///< L2 fetches so much at once from DRAM, or from the home half.
  std::uint32_t partitions = 0;  ///< Plain interleave over so many; 0: addresses are hashed.
  std::uint32_t partition_width = 0;        ///< Bytes.
  std::uint32_t partition_queue_bytes = 0;  ///< Waiting in one before multiprocessors stall.

  // Traffic of a launch besides the kernel's accesses (code, constants), as a profiler sees it.
  std::uint32_t launch_l2_read_sectors = 0;
  std::uint32_t launch_l2_write_sectors = 0;
  std::uint32_t launch_dram_read_bytes = 0;

  // Bandwidths and latencies.
  double dram_bytes_per_second = 0;      ///< Peak of the datasheet.
  double dram_efficiency = 0;            ///< Share of the peak that a good copy reaches.
  double l2_sectors_per_clock = 0;       ///< Full 32-byte sectors, whole chip, SM clocks; 0: no L2.
  double l2_load_lines_per_second = 0;   ///< 128-byte lines that loads ask for, whole chip, and ...
  double l2_store_lines_per_second = 0;  ///< ... that stores go to; 0: no limit of their own.
  double l2_stored_sectors_per_second = 0;  ///< Stores' own rate; 0: they share that of loads.
  double l2_partial_writes_per_second = 0;  ///< Writes of part of a sector, whole chip; 0: no limit
                                            ///< of their own.
  double l2_atomic_sectors_per_second = 0;  ///< Whole chip; 0: as other sectors.
  // Units of L2 that do atomics, each for 512 bytes in turn and one pass after the other; 0: they
  // are not known. A pass does one word of a sector for one lane, several words at once.
  std::uint32_t l2_atomic_units = 0;
  double l2_atomic_pass_seconds = 0;
  double l2_atomic_float_again_seconds = 0;       ///< A pass where lanes add floats to one word.
  double port_bytes_per_clock_per_sm = 0;         ///< From what is below L1 to an SM, or both ways.
  double port_stored_bytes_per_clock_per_sm = 0;  ///< From an SM; 0: as the other way.
  /// 128-byte lines that accesses touch. Where L1 and shared memory are one (kThirtyTwo), this is
  /// beside the clocks of its data stage, which has the banks' rule; 4 of them are one a bank.
  double tag_lookups_per_clock_per_sm = 0;
  double shared_wavefronts_per_clock_per_sm = 0;
  double l1_loaded_bytes_per_clock_per_sm = 0;  ///< Bytes of registers that loads fill; 0: no limit
                                                ///< beside the banks' and the tag stage's.
  double l2_latency_seconds = 0;                ///< A load that hits L2.
  double dram_latency_seconds = 0;              ///< A load that has DRAM to itself ...
  double dram_loaded_latency_seconds = 0;       ///< ... and of one where DRAM is always busy.
  double dram_latency_tail_seconds = 0;  ///< The part of both that differs from line to line: its
                                         ///< mean, where it falls off exponentially.
  double shared_latency_seconds = 0;     ///< Also of a load that hits L1.
  double barrier_clocks = 0;             ///< From the last warp's arrival to the next step ...
  double barrier_clocks_per_warp = 0;    ///< ... and for each warp of the block.
  double block_launch_seconds = 0;       ///< From a block's end to its successor's first step.
  double blocks_per_second = 0;          ///< The chip starts at most so many; 0: no limit known.
  double launch_overhead_seconds = 0;
  double launch_gap_seconds = 2e-6;      ///< From a launch's end to the next one's start, [est] but
                                         ///< for the H200 ...
  double launch_issue_seconds = 4.5e-6;  ///< ... and between two launches by the host; measured on
                                         ///< an H200's.

  // The largest share by which a modelled fraction of copy (or step between kernels) is off from
  // one published or measured on a card of this generation, rounded up to a percent: `warpgrade
  // study calibration` shows them. Where no result of a generation is known it is the largest of
  // all.
  double speed_error = kLargestSpeedError;

  // DRAM pages. Where partitions are plain, what opening another page costs one of them; else what
  // it costs the chip, for reading and for writing.
  std::uint32_t dram_page_bytes = 0;
  std::uint32_t dram_banks = 0;  ///< Pages that a partition can hold open.
  double dram_page_seconds = 0;
  double dram_written_page_seconds = 0;
  // The cost of 64 bytes whose line's other half is not read (or written) with them, as a multiple
  // of their cost as a part of the whole line.
  double dram_lone_read = 1;
  double dram_lone_written = 1;
};

/// All profiles, oldest first.
std::span<const Profile* const> profiles();

/// The profile called `name`, or that of the file `name` where it ends with ".toml"; it stays for
/// good. Throws base::UsageError: for an unknown name it names the nearest one and lists all.
const Profile& find(std::string_view name);

}  // namespace warpgrade::device
