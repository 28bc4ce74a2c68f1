// SPDX-License-Identifier: Apache-2.0
// Finds profiles by name among the embedded ones, or by path in files.
//
// A profile is a GPU as named numbers. Each comes from a TOML file that gives the source of every
// number (profile_reader.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade::device {

// Kinds of kernels. The error of the time model differs by kind.

enum class KernelKind : std::uint8_t {
  kCopy,
  kTranspose,
  kReduction,
  kGather,
  kStencil,
  kProduct,  ///< A product of matrices, or of a matrix and a vector.
  kHistogram,
  kScan,
  kSparse,
};

/// Names in manifests and profiles, by KernelKind.
inline constexpr std::array<std::string_view, 9> kKernelKinds = {
    "copy",    "transpose", "reduction", "gather", "stencil",
    "product", "histogram", "scan",      "sparse"};
inline constexpr std::array<std::string_view, kKernelKinds.size()> kManyKernels = {
    "copies",          "transposes", "reductions", "gathers",        "stencils",
    "matrix products", "histograms", "scans",      "sparse products"};

/// By KernelKind; 0: not known.
using ErrorsByKind = std::array<double, kKernelKinds.size()>;

constexpr std::string_view many(KernelKind kind) {
  return kManyKernels.at(static_cast<std::size_t>(kind));
}

/// How a warp's global accesses become transactions.
enum class Coalescing {
  kHalfWarpStrict,    ///< cc 1.0: lane k uses word k of one aligned segment; else one per lane.
  kHalfWarpSegments,  ///< cc 1.2, 1.3: segments of 32, 64 or 128 bytes per half-warp.
  kSectors,           ///< From Kepler on: distinct 32-byte sectors of the warp.
};

/// How a warp's shared accesses become wavefronts.
enum class SharedBanks {
  kSixteenHalfWarp,  ///< cc 1.x: 16 banks of 4 bytes; half-warps run separately.
  kKepler32,         ///< cc 3.x, 4-byte mode: 32 banks, 64 bits per bank and clock.
  kKepler64,         ///< cc 3.x, 8-byte mode.
  kThirtyTwo,        ///< From Maxwell on: 32 banks of 4 bytes; wide requests are split.
};

/// The rule that assigns a 128-byte line to one of the four banks of L1's tag stage, on cards with
/// a unified L1 and shared memory (memory/l1_cache.h).
enum class TagBanks {
  kAmpere,  ///< Measured on an A100; [est] for others before Hopper.
  kHopper,  ///< Measured on an H200; [est] for later ones.
};

/// The error of the g80 on Harris's reductions (tests/timing/calibration_older_test.cpp).
inline constexpr double kLargestSpeedError = 0.35;

/// Compute capability: 9.0 has the parts 9 and 0.
struct ComputeCapability {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

/// Rules that turn a warp's accesses into transactions and wavefronts.
struct MemoryRules {
  Coalescing coalescing{};
  SharedBanks shared_banks{};
  TagBanks tag_banks{};
};

/// Limits of an SM, and the units in which a launch allocates its resources.
struct SmLimits {
  std::uint32_t threads_per_block = 0;
  std::uint32_t warps = 0;
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t register_unit = 0;  ///< Registers are allocated in multiples of this ...
  bool registers_by_warp = true;    ///< ... per warp or, on cc 1.x, per block.
  std::uint32_t warp_unit = 1;      ///< Allocation rounds a block's warps up to a multiple of this.
};

/// The pipes of an SM and the costs of instructions that do not access memory.
struct Pipes {
  std::uint32_t alu_latency_clocks = 0;  ///< From an instruction to one that uses its result.
  std::uint32_t multiply_slots = 1;      ///< Issue slots of a 32-bit integer multiplication.
  std::uint32_t division_slots = 0;      ///< Issue slots of an integer division or remainder.
  std::uint32_t division_clocks = 0;     ///< Latency of such a division.
  std::uint32_t predicated_slots = 0;    ///< Longest branch, in slots, that ptxas predicates.
  std::uint32_t address_slots = 2;       ///< Issue slots of the addition of two addresses.
  // Lanes per clock of the pipes that are narrower than the issue slots (CUDA C++ Programming
  // Guide, arithmetic instructions). Not set: the pipe is never the limit.
  std::optional<double> alu_lanes;   ///< Logic, shifts, comparisons.
  std::optional<double> xu_lanes;    ///< Table functions (sin, rcp), integer/float conversions.
  std::optional<double> fp64_lanes;  ///< f64 arithmetic.
  std::optional<double> fma_heavy_lanes;  ///< 32-bit integer products.
  std::optional<double> fp32_lanes;       ///< f32 arithmetic, if it shares the pipe of those.
  // Clocks in which an instruction holds its scheduler beyond its issue slot (Nsight Compute's
  // stall reason `dispatch`).
  double wide_product_held_clocks = 0;  ///< A product of 64 bits: IMAD.WIDE.
  double global_load_held_clocks = 0;
  // For the model of machine code: clocks until the result of a table function, or of an exchange
  // between lanes, is ready, and the extra clocks of a taken branch.
  double xu_latency_clocks = 0;
  double exchange_clocks = 0;
  double branch_clocks = 0;
  // For each different value of a warp's match: clocks of the SM's stage of shared memory, and
  // until the result is ready beyond those and the latency of shared memory. Not set: unknown.
  std::optional<double> match_clocks;
  double match_latency_clocks = 0;
};

/// Multiprocessors.
struct Sm {
  std::uint32_t count = 0;
  double clock_hz = 0;  ///< Clock at which a long kernel runs.
  std::uint32_t schedulers = 0;
  double warp_instructions_per_clock = 0;      ///< Issue rate.
  double barrier_clocks = 0;                   ///< From the last warp's arrival to the next step.
  double barrier_clocks_per_warp = 0;          ///< Additional clocks per warp of the block.
  double port_bytes_per_clock = 0;             ///< From L2; both directions if the next is not set.
  std::optional<double> port_lines_per_clock;  ///< Lines that loads request from L2.
  std::optional<double> port_stored_bytes_per_clock;  ///< To L2; not set: shares the port above.
  SmLimits limits;
  Pipes pipes;

  /// f32 instructions per clock: a CUDA core for each of their lanes.
  double float_instructions_per_clock() const {
    constexpr double kLanes = 32;
    return std::min(warp_instructions_per_clock,
                    pipes.fp32_lanes.value_or(kLanes * warp_instructions_per_clock) / kLanes);
  }
};

/// Tensor cores of an SM; no rate is set on a card without them.
struct Tensor {
  /// f16 multiplications and additions by mma; twice as many for int8, half for tf32.
  std::optional<double> products_per_clock;
  std::optional<double> double_products_per_clock;  ///< The same for f64.
  std::uint32_t least_clocks = 0;    ///< Least clocks that one instruction occupies a scheduler.
  std::uint32_t latency_clocks = 0;  ///< Further clocks until the result is ready.
};

/// Shared memory of an SM.
struct Shared {
  std::uint32_t bytes = 0;
  std::uint32_t unit_bytes = 0;                ///< Allocation unit.
  std::uint32_t reserved_bytes_per_block = 0;  ///< Bytes that the launch itself uses.
  std::uint32_t max_bytes_per_block = 0;
  double wavefronts_per_clock = 0;
  double latency_seconds = 0;  ///< Also of a load that hits L1.
  double conflict_clocks = 0;  ///< Added to it per further wavefront, besides its own clock.
  // A loop of loads and swaps in shared memory (memory/shared_banks.h): clocks per round of a
  // single warp, and the part from load to swap in which no other warp may change the word. Not
  // set: unknown.
  std::optional<double> swap_round_clocks;
  double swap_window_clocks = 0;
};

/// L1 of an SM.
struct L1 {
  bool caches_global_loads = false;
  std::uint32_t bytes = 0;                       ///< Including shared memory if they are unified.
  std::optional<std::uint32_t> max_cache_bytes;  ///< Part that can cache loads; not set: all.
  /// 128-byte lines that accesses touch. With a unified L1 and shared memory (kThirtyTwo) this adds
  /// to the data stage, which follows the bank rule; four lines are one per tag bank.
  double tag_lookups_per_clock = 0;
  /// Register bytes that loads from L1 or shared memory fill; not set: no limit beyond banks and
  /// tag stage.
  std::optional<double> loaded_bytes_per_clock;
  std::optional<double> loaded_lanes_per_clock;  ///< The same in lanes, whatever their width.
};

/// L2, which global memory of cards before Kepler lacks.
struct L2 {
  std::optional<std::uint32_t> bytes;  ///< Not set: global memory is not cached.
  /// Limit on the bytes that still have to be written to DRAM; not set: the whole L2.
  std::optional<std::uint32_t> dirty_bytes;
  std::uint32_t halves = 1;  ///< Each address has a home half; the other halves fetch from it.
  std::uint32_t fetch_bytes = 32;  ///< Bytes of one fetch from DRAM or from the home half.
  double latency_seconds = 0;      ///< A load that hits L2.
  /// Full 32-byte sectors, SM clocks; set if there is an L2.
  std::optional<double> sectors_per_clock;
  // Further limits, if they are set.
  std::optional<double> load_lines_per_second;      ///< 128-byte lines requested by loads.
  std::optional<double> store_lines_per_second;     ///< 128-byte lines written by stores.
  std::optional<double> stored_sectors_per_second;  ///< Not set: stores share the rate of loads.
  /// Loaded sectors that cross between the halves and delay stores; not set: they delay nothing.
  std::optional<double> crossing_sectors_per_second;
  std::optional<double> partial_writes_per_second;  ///< Writes of partial sectors.
  std::optional<double> atomic_sectors_per_second;  ///< Not set: the rate of other sectors.
  // Units for atomics, interleaved every 512 bytes; each does one pass at a time. Not set: unknown.
  // One pass updates several words of a sector, each for one lane.
  std::optional<std::uint32_t> atomic_units;
  double atomic_pass_seconds = 0;
  /// From one addition of floats to a sector to the next one; passes on other sectors go between.
  double atomic_float_again_seconds = 0;
  double atomic_returned = 1;  ///< Time of a sector whose results return, relative to others.
};

struct Dram {
  double bytes_per_second = 0;        ///< Peak bandwidth in the datasheet.
  double efficiency = 0;              ///< Share of the peak that a good copy reaches.
  double latency_seconds = 0;         ///< A load from idle DRAM.
  double loaded_latency_seconds = 0;  ///< A load from saturated DRAM.
  double latency_tail_seconds = 0;    ///< Mean of both latencies' exponential part, per line.
  /// Partitions that are simply interleaved; not set: addresses are hashed.
  std::optional<std::uint32_t> partitions;
  std::uint32_t partition_width = 0;        ///< Bytes.
  std::uint32_t partition_queue_bytes = 0;  ///< Bytes queued at one partition before SMs stall.
  bool fills_partial_sectors = true;  ///< It reads a sector first of which L2 has only a part.
  // Pages. The cost of opening another page: with plain partitions for one partition, else for the
  // whole chip, for reads and for writes.
  std::uint32_t page_bytes = 0;
  std::uint32_t banks = 0;  ///< Pages that a partition can keep open.
  double page_seconds = 0;
  double written_page_seconds = 0;
  // The cost of 64 bytes if the other half of their line is not read (or written) too, relative to
  // their cost within the whole line.
  double lone_read = 1;
  double lone_written = 1;
};

/// Traffic of the launch itself (code, constants), as a profiler counts it, and its times.
struct LaunchCosts {
  std::uint32_t l2_read_sectors = 0;
  std::uint32_t l2_write_sectors = 0;
  std::uint32_t dram_read_bytes = 0;
  double block_seconds = 0;  ///< From a block's end to the first step of the next one.
  /// Start rate of blocks, whole chip; not set: no known limit.
  std::optional<double> blocks_per_second;
  double overhead_seconds = 0;
  double gap_seconds = 2e-6;  ///< From a launch's end to the next one's start; [est] except H200.
  double issue_seconds = 4.5e-6;  ///< Between two launches by the host; measured on an H200's host.
};

/// Errors of the time model on a card.
struct ModelErrors {
  // The relative error of a modelled fraction of copy (or step between kernels) against results on
  // a card of this generation, rounded up to a percent: the largest where results are published,
  // the 95th percentile of launches where hundreds were measured. `warpgrade study calibration`
  // prints these errors. A generation without results uses the largest error of all.
  double speed = kLargestSpeedError;
  /// The 95th percentile of the error of modelled times of one kind of kernel, from launches that
  /// were measured on a card (tests/evidence/launches), rounded up to a percent.
  ErrorsByKind speed_by_kind{};
  /// The margin of a gate on a modelled speed: the share of the true speed by which it may be too
  /// low. The 95th percentile over the same launches; a modelled speed that is too high counts as
  /// 0.
  ErrorsByKind margin_by_kind{};

  bool has_kinds() const { return speed_by_kind != ErrorsByKind{}; }
  bool has(std::optional<KernelKind> kind) const {
    return kind && speed_by_kind.at(static_cast<std::size_t>(*kind)) > 0;
  }
  /// The error of a modelled speed of this kind, if it is known; else of any kind.
  double of_speed(std::optional<KernelKind> kind) const {
    return has(kind) ? speed_by_kind.at(static_cast<std::size_t>(*kind)) : speed;
  }
  /// The margin of this kind, if it is known; else the error.
  double margin_of_speed(std::optional<KernelKind> kind) const {
    const double margin = kind ? margin_by_kind.at(static_cast<std::size_t>(*kind)) : 0;
    return margin > 0 ? margin : of_speed(kind);
  }
};

struct Profile {
  std::string name;       ///< Command-line name: "k40".
  std::string product;    ///< "NVIDIA Tesla K40".
  std::string validated;  ///< Published or measured results it was compared with; empty if none.
  ComputeCapability compute;
  std::string architecture;  ///< Target for NVRTC: "sm_75" for older devices, else "sm_90".
  /// Lanes of a warp make progress independently: from Volta on.
  bool has_independent_lanes() const { return compute.major >= 7; }

  MemoryRules rules;
  Sm sm;
  Tensor tensor;
  Shared shared;
  L1 l1;
  L2 l2;
  Dram dram;
  LaunchCosts launch;
  ModelErrors errors;
};

/// All profiles, oldest first.
std::span<const Profile* const> profiles();

/// The profile called `name`, or the profile in the file `name` if it ends with ".toml". The result
/// stays valid forever. Throws base::UsageError, which lists all names and suggests the nearest.
const Profile& find(std::string_view name);

}  // namespace warpgrade::device
