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

// `at<&P::l2, &L2::bytes>` is the address of a function that returns profile.l2.bytes.
template <auto... path>
auto& number_at(Profile& profile) {
  return (profile.*....*path);
}
template <auto... path>
constexpr auto at = &number_at<path...>;

// No card exceeds these limits; a larger value has the wrong unit.
constexpr double kMostBytes = 4096.0 * 1024 * 1024 - 1;
constexpr double kMostRate = 1e15;
constexpr double kLongest = 1e-3;
constexpr auto kS = Unit::kSeconds;
constexpr auto kB = Unit::kBytes;
constexpr auto kR = Unit::kPerSecond;

constexpr std::array kFields = {
    Field{"sm_count", at<&P::sm, &Sm::count>, Unit::kNone, 1, 1024, true},
    Field{"sm_clock", at<&P::sm, &Sm::clock_hz>, Unit::kHertz, 1e8, 1e10, true},
    Field{"schedulers_per_sm", at<&P::sm, &Sm::schedulers>, Unit::kNone, 1, 16, true},
    Field{"warp_instructions_per_clock_per_sm", at<&P::sm, &Sm::warp_instructions_per_clock>,
          Unit::kNone, 0.01, 64, true},
    Field{"alu_latency_clocks", at<&P::sm, &Sm::pipes, &Pipes::alu_latency_clocks>, Unit::kNone, 1,
          1000, true},
    Field{"multiply_slots", at<&P::sm, &Sm::pipes, &Pipes::multiply_slots>, Unit::kNone, 1, 100},
    Field{"division_slots", at<&P::sm, &Sm::pipes, &Pipes::division_slots>, Unit::kNone, 0, 1000,
          true},
    Field{"division_clocks", at<&P::sm, &Sm::pipes, &Pipes::division_clocks>, Unit::kNone, 0, 10000,
          true},
    Field{"predicated_slots", at<&P::sm, &Sm::pipes, &Pipes::predicated_slots>, Unit::kNone, 0,
          1000, true},
    Field{"address_slots", at<&P::sm, &Sm::pipes, &Pipes::address_slots>, Unit::kNone, 1, 100},
    Field{"alu_lanes_per_sm", at<&P::sm, &Sm::pipes, &Pipes::alu_lanes>, Unit::kNone, 0, 1024},
    Field{"xu_lanes_per_sm", at<&P::sm, &Sm::pipes, &Pipes::xu_lanes>, Unit::kNone, 0, 1024},
    Field{"xu_latency_clocks", at<&P::sm, &Sm::pipes, &Pipes::xu_latency_clocks>, Unit::kNone, 0,
          1000},
    Field{"exchange_clocks", at<&P::sm, &Sm::pipes, &Pipes::exchange_clocks>, Unit::kNone, 0, 1000},
    Field{"match_clocks", at<&P::sm, &Sm::pipes, &Pipes::match_clocks>, Unit::kNone, 0, 1000},
    Field{"match_latency_clocks", at<&P::sm, &Sm::pipes, &Pipes::match_latency_clocks>, Unit::kNone,
          0, 1000},
    Field{"branch_clocks", at<&P::sm, &Sm::pipes, &Pipes::branch_clocks>, Unit::kNone, 0, 1000},
    Field{"swap_round_clocks", at<&P::shared, &Shared::swap_round_clocks>, Unit::kNone, 0, 1000},
    Field{"swap_window_clocks", at<&P::shared, &Shared::swap_window_clocks>, Unit::kNone, 0, 1000},
    Field{"fp64_lanes_per_sm", at<&P::sm, &Sm::pipes, &Pipes::fp64_lanes>, Unit::kNone, 0, 1024},
    Field{"fma_heavy_lanes_per_sm", at<&P::sm, &Sm::pipes, &Pipes::fma_heavy_lanes>, Unit::kNone, 0,
          1024},
    Field{"tensor_products_per_clock_per_sm", at<&P::tensor, &Tensor::products_per_clock>,
          Unit::kNone, 0, 1e6},
    Field{"tensor_double_products_per_clock_per_sm",
          at<&P::tensor, &Tensor::double_products_per_clock>, Unit::kNone, 0, 1e6},
    Field{"tensor_least_clocks", at<&P::tensor, &Tensor::least_clocks>, Unit::kNone, 0, 1000},
    Field{"tensor_latency_clocks", at<&P::tensor, &Tensor::latency_clocks>, Unit::kNone, 0, 1000},
    Field{"max_threads_per_block", at<&P::sm, &Sm::limits, &SmLimits::threads_per_block>,
          Unit::kNone, 32, 1024, true},
    Field{"max_warps_per_sm", at<&P::sm, &Sm::limits, &SmLimits::warps>, Unit::kNone, 1, 256, true},
    Field{"max_blocks_per_sm", at<&P::sm, &Sm::limits, &SmLimits::blocks>, Unit::kNone, 1, 256,
          true},
    Field{"registers_per_sm", at<&P::sm, &Sm::limits, &SmLimits::registers>, Unit::kNone, 1024,
          1 << 24, true},
    Field{"register_unit", at<&P::sm, &Sm::limits, &SmLimits::register_unit>, Unit::kNone, 1, 65536,
          true},
    Field{"registers_by_warp", at<&P::sm, &Sm::limits, &SmLimits::registers_by_warp>},
    Field{"warp_unit", at<&P::sm, &Sm::limits, &SmLimits::warp_unit>, Unit::kNone, 1, 32},
    Field{"max_registers_per_thread", at<&P::sm, &Sm::limits, &SmLimits::registers_per_thread>,
          Unit::kNone, 16, 1024, true},
    Field{"shared_bytes_per_sm", at<&P::shared, &Shared::bytes>, kB, 1024, kMostBytes, true},
    Field{"shared_unit", at<&P::shared, &Shared::unit_bytes>, kB, 1, 65536, true},
    Field{"shared_reserved_per_block", at<&P::shared, &Shared::reserved_bytes_per_block>, kB, 0,
          65536},
    Field{"max_shared_bytes_per_block", at<&P::shared, &Shared::max_bytes_per_block>, kB, 1024,
          kMostBytes, true},
    Field{"l1_caches_global_loads", at<&P::l1, &L1::caches_global_loads>},
    Field{"l1_bytes", at<&P::l1, &L1::bytes>, kB, 0, kMostBytes},
    Field{"l1_most_bytes", at<&P::l1, &L1::max_cache_bytes>, kB, 0, kMostBytes},
    Field{"l2_bytes", at<&P::l2, &L2::bytes>, kB, 0, kMostBytes},
    Field{"l2_dirty_bytes", at<&P::l2, &L2::dirty_bytes>, kB, 0, kMostBytes},
    Field{"l2_halves", at<&P::l2, &L2::halves>, Unit::kNone, 1, 2},
    Field{"l2_fetch_bytes", at<&P::l2, &L2::fetch_bytes>, kB, 32, 64},
    Field{"partitions", at<&P::dram, &Dram::partitions>, Unit::kNone, 0, 64},
    Field{"partition_width", at<&P::dram, &Dram::partition_width>, kB, 0, 65536},
    Field{"partition_queue_bytes", at<&P::dram, &Dram::partition_queue_bytes>, kB, 0, 1 << 20},
    Field{"launch_l2_read_sectors", at<&P::launch, &LaunchCosts::l2_read_sectors>, Unit::kNone, 0,
          1e6},
    Field{"launch_l2_write_sectors", at<&P::launch, &LaunchCosts::l2_write_sectors>, Unit::kNone, 0,
          1e6},
    Field{"launch_dram_read_bytes", at<&P::launch, &LaunchCosts::dram_read_bytes>, kB, 0, 1e6},
    Field{"dram_bandwidth", at<&P::dram, &Dram::bytes_per_second>, Unit::kBytesPerSecond, 1e9, 1e14,
          true},
    Field{"dram_efficiency", at<&P::dram, &Dram::efficiency>, Unit::kNone, 0.1, 1, true},
    Field{"l2_sectors_per_clock", at<&P::l2, &L2::sectors_per_clock>, Unit::kNone, 0, 1e5},
    Field{"l2_load_lines_per_second", at<&P::l2, &L2::load_lines_per_second>, kR, 0, kMostRate},
    Field{"l2_store_lines_per_second", at<&P::l2, &L2::store_lines_per_second>, kR, 0, kMostRate},
    Field{"l2_stored_sectors_per_second", at<&P::l2, &L2::stored_sectors_per_second>, kR, 0,
          kMostRate},
    Field{"l2_partial_writes_per_second", at<&P::l2, &L2::partial_writes_per_second>, kR, 0,
          kMostRate},
    Field{"l2_atomic_sectors_per_second", at<&P::l2, &L2::atomic_sectors_per_second>, kR, 0,
          kMostRate},
    Field{"l2_atomic_units", at<&P::l2, &L2::atomic_units>, Unit::kNone, 0, 4096},
    Field{"l2_atomic_pass", at<&P::l2, &L2::atomic_pass_seconds>, kS, 0, kLongest},
    Field{"l2_atomic_float_again", at<&P::l2, &L2::atomic_float_again_seconds>, kS, 0, kLongest},
    Field{"port_bytes_per_clock_per_sm", at<&P::sm, &Sm::port_bytes_per_clock>, Unit::kNone, 1,
          4096, true},
    Field{"port_stored_bytes_per_clock_per_sm", at<&P::sm, &Sm::port_stored_bytes_per_clock>,
          Unit::kNone, 0, 4096},
    Field{"tag_lookups_per_clock_per_sm", at<&P::l1, &L1::tag_lookups_per_clock>, Unit::kNone, 0.01,
          128, true},
    Field{"shared_wavefronts_per_clock_per_sm", at<&P::shared, &Shared::wavefronts_per_clock>,
          Unit::kNone, 0.01, 128, true},
    Field{"l1_loaded_bytes_per_clock_per_sm", at<&P::l1, &L1::loaded_bytes_per_clock>, Unit::kNone,
          0, 4096},
    Field{"l2_latency", at<&P::l2, &L2::latency_seconds>, kS, 0, kLongest},
    Field{"dram_latency", at<&P::dram, &Dram::latency_seconds>, kS, 1e-9, kLongest, true},
    Field{"dram_loaded_latency", at<&P::dram, &Dram::loaded_latency_seconds>, kS, 0, kLongest},
    Field{"dram_latency_tail", at<&P::dram, &Dram::latency_tail_seconds>, kS, 0, kLongest},
    Field{"shared_conflict_clocks", at<&P::shared, &Shared::conflict_clocks>, Unit::kNone, 0, 1000},
    Field{"shared_latency", at<&P::shared, &Shared::latency_seconds>, kS, 1e-10, kLongest, true},
    Field{"barrier_clocks", at<&P::sm, &Sm::barrier_clocks>, Unit::kNone, 0, 10000, true},
    Field{"barrier_clocks_per_warp", at<&P::sm, &Sm::barrier_clocks_per_warp>, Unit::kNone, 0, 1000,
          true},
    Field{"block_launch", at<&P::launch, &LaunchCosts::block_seconds>, kS, 0, kLongest, true},
    Field{"blocks_per_second", at<&P::launch, &LaunchCosts::blocks_per_second>, kR, 0, kMostRate},
    Field{"launch_overhead", at<&P::launch, &LaunchCosts::overhead_seconds>, kS, 0, kLongest, true},
    Field{"launch_gap", at<&P::launch, &LaunchCosts::gap_seconds>, kS, 0, kLongest},
    Field{"launch_issue", at<&P::launch, &LaunchCosts::issue_seconds>, kS, 0, kLongest},
    Field{"speed_error", at<&P::errors, &ModelErrors::speed>, Unit::kNone, 0, 1},
    Field{"dram_page_bytes", at<&P::dram, &Dram::page_bytes>, kB, 32, 65536, true},
    Field{"dram_banks", at<&P::dram, &Dram::banks>, Unit::kNone, 0, 4096},
    Field{"dram_page", at<&P::dram, &Dram::page_seconds>, kS, 0, kLongest, true},
    Field{"dram_written_page", at<&P::dram, &Dram::written_page_seconds>, kS, 0, kLongest},
    Field{"dram_lone_read", at<&P::dram, &Dram::lone_read>, Unit::kNone, 1, 4},
    Field{"dram_lone_written", at<&P::dram, &Dram::lone_written>, Unit::kNone, 1, 4},
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
