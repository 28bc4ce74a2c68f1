// SPDX-License-Identifier: Apache-2.0
#include "common/device/profile_fields.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::device {
namespace {

using P = Profile;

// No card exceeds these limits; a larger value has the wrong unit.
constexpr double kMostBytes = 4096.0 * 1024 * 1024 - 1;
constexpr double kMostRate = 1e15;
constexpr double kLongest = 1e-3;
constexpr auto kS = Unit::kSeconds;
constexpr auto kB = Unit::kBytes;
constexpr auto kR = Unit::kPerSecond;

constexpr std::array kFields = {
    Field{"sm_count", &P::sm_count, Unit::kNone, 1, 1024, true},
    Field{"sm_clock", &P::sm_clock_hz, Unit::kHertz, 1e8, 1e10, true},
    Field{"schedulers_per_sm", &P::schedulers_per_sm, Unit::kNone, 1, 16, true},
    Field{"warp_instructions_per_clock_per_sm", &P::warp_instructions_per_clock_per_sm, Unit::kNone,
          0.01, 64, true},
    Field{"alu_latency_clocks", &P::alu_latency_clocks, Unit::kNone, 1, 1000, true},
    Field{"multiply_slots", &P::multiply_slots, Unit::kNone, 1, 100},
    Field{"division_slots", &P::division_slots, Unit::kNone, 0, 1000, true},
    Field{"division_clocks", &P::division_clocks, Unit::kNone, 0, 10000, true},
    Field{"predicated_slots", &P::predicated_slots, Unit::kNone, 0, 1000, true},
    Field{"address_slots", &P::address_slots, Unit::kNone, 1, 100},
    Field{"alu_lanes_per_sm", &P::alu_lanes_per_sm, Unit::kNone, 0, 1024},
    Field{"xu_lanes_per_sm", &P::xu_lanes_per_sm, Unit::kNone, 0, 1024},
    Field{"xu_latency_clocks", &P::xu_latency_clocks, Unit::kNone, 0, 1000},
    Field{"exchange_clocks", &P::exchange_clocks, Unit::kNone, 0, 1000},
    Field{"match_clocks", &P::match_clocks, Unit::kNone, 0, 1000},
    Field{"match_latency_clocks", &P::match_latency_clocks, Unit::kNone, 0, 1000},
    Field{"branch_clocks", &P::branch_clocks, Unit::kNone, 0, 1000},
    Field{"swap_round_clocks", &P::swap_round_clocks, Unit::kNone, 0, 1000},
    Field{"swap_window_clocks", &P::swap_window_clocks, Unit::kNone, 0, 1000},
    Field{"fp64_lanes_per_sm", &P::fp64_lanes_per_sm, Unit::kNone, 0, 1024},
    Field{"fma_heavy_lanes_per_sm", &P::fma_heavy_lanes_per_sm, Unit::kNone, 0, 1024},
    Field{"tensor_products_per_clock_per_sm", &P::tensor_products_per_clock_per_sm, Unit::kNone, 0,
          1e6},
    Field{"tensor_double_products_per_clock_per_sm", &P::tensor_double_products_per_clock_per_sm,
          Unit::kNone, 0, 1e6},
    Field{"tensor_least_clocks", &P::tensor_least_clocks, Unit::kNone, 0, 1000},
    Field{"tensor_latency_clocks", &P::tensor_latency_clocks, Unit::kNone, 0, 1000},
    Field{"max_threads_per_block", &P::max_threads_per_block, Unit::kNone, 32, 1024, true},
    Field{"max_warps_per_sm", &P::max_warps_per_sm, Unit::kNone, 1, 256, true},
    Field{"max_blocks_per_sm", &P::max_blocks_per_sm, Unit::kNone, 1, 256, true},
    Field{"registers_per_sm", &P::registers_per_sm, Unit::kNone, 1024, 1 << 24, true},
    Field{"register_unit", &P::register_unit, Unit::kNone, 1, 65536, true},
    Field{"registers_by_warp", &P::registers_by_warp},
    Field{"warp_unit", &P::warp_unit, Unit::kNone, 1, 32},
    Field{"max_registers_per_thread", &P::max_registers_per_thread, Unit::kNone, 16, 1024, true},
    Field{"shared_bytes_per_sm", &P::shared_bytes_per_sm, kB, 1024, kMostBytes, true},
    Field{"shared_unit", &P::shared_unit, kB, 1, 65536, true},
    Field{"shared_reserved_per_block", &P::shared_reserved_per_block, kB, 0, 65536},
    Field{"max_shared_bytes_per_block", &P::max_shared_bytes_per_block, kB, 1024, kMostBytes, true},
    Field{"l1_caches_global_loads", &P::l1_caches_global_loads},
    Field{"l1_bytes", &P::l1_bytes, kB, 0, kMostBytes},
    Field{"l1_most_bytes", &P::l1_most_bytes, kB, 0, kMostBytes},
    Field{"l2_bytes", &P::l2_bytes, kB, 0, kMostBytes},
    Field{"l2_dirty_bytes", &P::l2_dirty_bytes, kB, 0, kMostBytes},
    Field{"l2_halves", &P::l2_halves, Unit::kNone, 1, 2},
    Field{"l2_fetch_bytes", &P::l2_fetch_bytes, kB, 32, 64},
    Field{"partitions", &P::partitions, Unit::kNone, 0, 64},
    Field{"partition_width", &P::partition_width, kB, 0, 65536},
    Field{"partition_queue_bytes", &P::partition_queue_bytes, kB, 0, 1 << 20},
    Field{"launch_l2_read_sectors", &P::launch_l2_read_sectors, Unit::kNone, 0, 1e6},
    Field{"launch_l2_write_sectors", &P::launch_l2_write_sectors, Unit::kNone, 0, 1e6},
    Field{"launch_dram_read_bytes", &P::launch_dram_read_bytes, kB, 0, 1e6},
    Field{"dram_bandwidth", &P::dram_bytes_per_second, Unit::kBytesPerSecond, 1e9, 1e14, true},
    Field{"dram_efficiency", &P::dram_efficiency, Unit::kNone, 0.1, 1, true},
    Field{"l2_sectors_per_clock", &P::l2_sectors_per_clock, Unit::kNone, 0, 1e5},
    Field{"l2_load_lines_per_second", &P::l2_load_lines_per_second, kR, 0, kMostRate},
    Field{"l2_store_lines_per_second", &P::l2_store_lines_per_second, kR, 0, kMostRate},
    Field{"l2_stored_sectors_per_second", &P::l2_stored_sectors_per_second, kR, 0, kMostRate},
    Field{"l2_partial_writes_per_second", &P::l2_partial_writes_per_second, kR, 0, kMostRate},
    Field{"l2_atomic_sectors_per_second", &P::l2_atomic_sectors_per_second, kR, 0, kMostRate},
    Field{"l2_atomic_units", &P::l2_atomic_units, Unit::kNone, 0, 4096},
    Field{"l2_atomic_pass", &P::l2_atomic_pass_seconds, kS, 0, kLongest},
    Field{"l2_atomic_float_again", &P::l2_atomic_float_again_seconds, kS, 0, kLongest},
    Field{"port_bytes_per_clock_per_sm", &P::port_bytes_per_clock_per_sm, Unit::kNone, 1, 4096,
          true},
    Field{"port_stored_bytes_per_clock_per_sm", &P::port_stored_bytes_per_clock_per_sm, Unit::kNone,
          0, 4096},
    Field{"tag_lookups_per_clock_per_sm", &P::tag_lookups_per_clock_per_sm, Unit::kNone, 0.01, 128,
          true},
    Field{"shared_wavefronts_per_clock_per_sm", &P::shared_wavefronts_per_clock_per_sm, Unit::kNone,
          0.01, 128, true},
    Field{"l1_loaded_bytes_per_clock_per_sm", &P::l1_loaded_bytes_per_clock_per_sm, Unit::kNone, 0,
          4096},
    Field{"l2_latency", &P::l2_latency_seconds, kS, 0, kLongest},
    Field{"dram_latency", &P::dram_latency_seconds, kS, 1e-9, kLongest, true},
    Field{"dram_loaded_latency", &P::dram_loaded_latency_seconds, kS, 0, kLongest},
    Field{"dram_latency_tail", &P::dram_latency_tail_seconds, kS, 0, kLongest},
    Field{"shared_conflict_clocks", &P::shared_conflict_clocks, Unit::kNone, 0, 1000},
    Field{"shared_latency", &P::shared_latency_seconds, kS, 1e-10, kLongest, true},
    Field{"barrier_clocks", &P::barrier_clocks, Unit::kNone, 0, 10000, true},
    Field{"barrier_clocks_per_warp", &P::barrier_clocks_per_warp, Unit::kNone, 0, 1000, true},
    Field{"block_launch", &P::block_launch_seconds, kS, 0, kLongest, true},
    Field{"blocks_per_second", &P::blocks_per_second, kR, 0, kMostRate},
    Field{"launch_overhead", &P::launch_overhead_seconds, kS, 0, kLongest, true},
    Field{"launch_gap", &P::launch_gap_seconds, kS, 0, kLongest},
    Field{"launch_issue", &P::launch_issue_seconds, kS, 0, kLongest},
    Field{"speed_error", &P::speed_error, Unit::kNone, 0, 1},
    Field{"dram_page_bytes", &P::dram_page_bytes, kB, 32, 65536, true},
    Field{"dram_banks", &P::dram_banks, Unit::kNone, 0, 4096},
    Field{"dram_page", &P::dram_page_seconds, kS, 0, kLongest, true},
    Field{"dram_written_page", &P::dram_written_page_seconds, kS, 0, kLongest},
    Field{"dram_lone_read", &P::dram_lone_read, Unit::kNone, 1, 4},
    Field{"dram_lone_written", &P::dram_lone_written, Unit::kNone, 1, 4},
};

// A value in the profile's unit is value * times / per: both are exact, so 145 ns is 145e-9.
struct NamedUnit {
  std::string_view name;
  Unit unit;
  double times;
  double per;
};
constexpr std::array kUnits = {
    NamedUnit{"s", kS, 1, 1},
    NamedUnit{"ms", kS, 1, 1e3},
    NamedUnit{"us", kS, 1, 1e6},
    NamedUnit{"ns", kS, 1, 1e9},
    NamedUnit{"ps", kS, 1, 1e12},
    NamedUnit{"KiB", kB, 1024, 1},
    NamedUnit{"MiB", kB, 1024.0 * 1024, 1},
    NamedUnit{"Hz", Unit::kHertz, 1, 1},
    NamedUnit{"MHz", Unit::kHertz, 1e6, 1},
    NamedUnit{"GHz", Unit::kHertz, 1e9, 1},
    NamedUnit{"B/s", Unit::kBytesPerSecond, 1, 1},
    NamedUnit{"GB/s", Unit::kBytesPerSecond, 1e9, 1},
    NamedUnit{"TB/s", Unit::kBytesPerSecond, 1e12, 1},
};
constexpr std::string_view kClocks = "clocks";
constexpr std::string_view kEachClock = "/clock";

[[noreturn]] void no_quantity(std::string_view text, Unit unit) {
  std::string units;
  for (const NamedUnit& one : kUnits) {
    if (one.unit == unit) units += fmt::format("{}{}", units.empty() ? "" : ", ", one.name);
  }
  if (unit == kS) units += fmt::format(", {}", kClocks);
  if (unit == kR) units = kEachClock;
  throw base::UsageError(fmt::format("must be a number and a unit ({}), but is `{}`", units,
                                     base::escape_controls(text)));
}

}  // namespace

std::span<const Field> fields() { return kFields; }

double quantity(std::string_view text, Unit unit, double clock_hz) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest == end || *rest != ' ') no_quantity(text, unit);
  const std::string_view name(rest + 1, static_cast<std::size_t>(end - rest - 1));
  if (unit == kS && name == kClocks) return value / clock_hz;
  if (unit == kR && name == kEachClock) return value * clock_hz;
  for (const NamedUnit& one : kUnits) {
    if (one.unit == unit && one.name == name) return value * one.times / one.per;
  }
  no_quantity(text, unit);
}

}  // namespace warpgrade::device
