// SPDX-License-Identifier: Apache-2.0
#include "common/device/profile_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/base/toml_text.h"
#include "common/device/profile.h"
#include "common/device/profile_texts.h"

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
    Field{"fp32_lanes_per_sm", at<&P::sm, &Sm::pipes, &Pipes::fp32_lanes>, Unit::kNone, 0, 1024},
    Field{"wide_product_held_clocks", at<&P::sm, &Sm::pipes, &Pipes::wide_product_held_clocks>,
          Unit::kNone, 0, 100},
    Field{"global_load_held_clocks", at<&P::sm, &Sm::pipes, &Pipes::global_load_held_clocks>,
          Unit::kNone, 0, 100},
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
    Field{"l2_crossing_sectors_per_second", at<&P::l2, &L2::crossing_sectors_per_second>, kR, 0,
          kMostRate},
    Field{"l2_partial_writes_per_second", at<&P::l2, &L2::partial_writes_per_second>, kR, 0,
          kMostRate},
    Field{"l2_atomic_sectors_per_second", at<&P::l2, &L2::atomic_sectors_per_second>, kR, 0,
          kMostRate},
    Field{"l2_atomic_units", at<&P::l2, &L2::atomic_units>, Unit::kNone, 0, 4096},
    Field{"l2_atomic_pass", at<&P::l2, &L2::atomic_pass_seconds>, kS, 0, kLongest},
    Field{"l2_atomic_float_again", at<&P::l2, &L2::atomic_float_again_seconds>, kS, 0, kLongest},
    Field{"l2_atomic_returned", at<&P::l2, &L2::atomic_returned>, Unit::kNone, 1, 10},
    Field{"port_bytes_per_clock_per_sm", at<&P::sm, &Sm::port_bytes_per_clock>, Unit::kNone, 1,
          4096, true},
    Field{"port_lines_per_clock_per_sm", at<&P::sm, &Sm::port_lines_per_clock>, Unit::kNone, 0,
          128},
    Field{"port_stored_bytes_per_clock_per_sm", at<&P::sm, &Sm::port_stored_bytes_per_clock>,
          Unit::kNone, 0, 4096},
    Field{"tag_lookups_per_clock_per_sm", at<&P::l1, &L1::tag_lookups_per_clock>, Unit::kNone, 0.01,
          128, true},
    Field{"shared_wavefronts_per_clock_per_sm", at<&P::shared, &Shared::wavefronts_per_clock>,
          Unit::kNone, 0.01, 128, true},
    Field{"l1_loaded_bytes_per_clock_per_sm", at<&P::l1, &L1::loaded_bytes_per_clock>, Unit::kNone,
          0, 4096},
    Field{"l1_loaded_lanes_per_clock_per_sm", at<&P::l1, &L1::loaded_lanes_per_clock>, Unit::kNone,
          0, 128},
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
    Field{"dram_fills_partial_sectors", at<&P::dram, &Dram::fills_partial_sectors>},
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

namespace {

constexpr std::array<std::string_view, 3> kCoalescings = {"half_warp_strict", "half_warp_segments",
                                                          "sectors"};
constexpr std::array<std::string_view, 4> kBanks = {"half_warp_16", "kepler_4_byte",
                                                    "kepler_8_byte", "plain_32"};
constexpr std::array<std::string_view, 2> kTagBanks = {"ampere", "hopper"};
constexpr std::array<std::string_view, 7> kTexts = {
    "product", "compute", "like", "validated", "coalescing", "shared_banks", "tag_banks"};
// Tables by kind of kernel. They belong to the card that was measured and are not inherited.
constexpr std::string_view kSpeedErrors = "speed_errors";
constexpr std::string_view kSpeedMargins = "speed_margins";
// Limit on the length of a chain of `like`. No embedded profile has such a long chain.
constexpr std::size_t kMostAncestors = 8;
// The oldest architecture that current compilers support. Older cards use its PTX.
constexpr std::uint32_t kOldestArchitecture = 75;

std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (const auto name : names) out += fmt::format("{}{}", out.empty() ? "" : ", ", name);
  return out;
}

std::string did_you_mean_key(std::string_view word, std::span<const std::string_view> names) {
  const auto nearest = base::nearest(word, names);
  return nearest.empty() ? "" : fmt::format(", did you mean `{}`?", nearest);
}

/// The file and the profiles it inherits from through `like`, nearest first.
class Sources {
 public:
  Sources(std::string_view text, const std::string& shown, const TextOfProfile& text_of) {
    files_.push_back({shown, base::parse_toml(text, shown)});
    while (const auto* like = files_.back().table.get("like")) {
      const auto name = like->value_exact<std::string>();
      if (!name) fail(*like, "like", "must be the name of a profile");
      if (files_.size() > kMostAncestors) fail(*like, "like", "is like itself");
      std::string_view its_text;
      try {
        its_text = text_of(*name);
      } catch (const base::UsageError& error) {
        fail(*like, "like", error.what());
      }
      const auto its_name = fmt::format("profiles/{}.toml", *name);
      files_.push_back({its_name, base::parse_toml(its_text, its_name)});
    }
  }

  const toml::node* find(std::string_view key) const {
    for (const File& file : files_) {
      if (const auto* node = file.table.get(key)) return node;
    }
    return nullptr;
  }

  /// The file itself, without the profiles it inherits from.
  const toml::table& own() const { return files_.front().table; }

  [[noreturn]] void fail(const toml::node& node, std::string_view key,
                         const std::string& why) const {
    const auto& path = node.source().path;
    base::fail_at(base::place_in(path ? *path : files_.front().shown, node.source()),
                  fmt::format("`{}`: {}", base::escape_controls(key), why));
  }

  /// Reports the error at the key, or at the start of the file if no key is at fault.
  [[noreturn]] void fail(std::string_view key, const std::string& why) const {
    if (const auto* node = find(key)) fail(*node, key, why);
    base::fail_at({files_.front().shown, 1, 1}, fmt::format("`{}`: {}", key, why));
  }

 private:
  struct File {
    std::string shown;
    toml::table table;
  };
  std::vector<File> files_;
};

/// Fails on unknown keys and on missing required ones.
void check_keys(const Sources& sources) {
  std::vector<std::string_view> known(kTexts.begin(), kTexts.end());
  for (const Field& field : fields()) known.push_back(field.key);
  known.push_back(kSpeedErrors);
  known.push_back(kSpeedMargins);
  for (const auto& [key, node] : sources.own()) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    sources.fail(node, key.str(), fmt::format("unknown key{}", did_you_mean_key(key.str(), known)));
  }
  const auto require = [&](std::string_view key) {
    if (sources.find(key) == nullptr) {
      sources.fail(key, "the key is missing; `like = \"h200\"` would take it from that profile");
    }
  };
  for (const auto key : {"product", "compute", "coalescing", "shared_banks"}) require(key);
  for (const Field& field : fields()) {
    if (field.required) require(field.key);
  }
}

std::string text_of_key(const Sources& sources, std::string_view key) {
  const auto* node = sources.find(key);
  const auto value = node->value_exact<std::string>();
  if (!value)
    sources.fail(*node, key, fmt::format("must be a string, but is {}", base::type_name(*node)));
  return base::escape_controls(*value);
}

template <std::size_t size>
std::size_t choice_of(const Sources& sources, std::string_view key,
                      const std::array<std::string_view, size>& choices) {
  const auto given = text_of_key(sources, key);
  for (std::size_t i = 0; i < size; ++i) {
    if (choices[i] == given) return i;
  }
  sources.fail(key, fmt::format("there is no `{}`{}; it is one of: {}", given,
                                did_you_mean_key(given, choices), listed(choices)));
}

/// Reads a compute capability, such as "8.9".
void read_compute(const Sources& sources, Profile& out) {
  const auto text = text_of_key(sources, "compute");
  const bool is_one = text.size() >= 3 && text.size() <= 4 && text[text.size() - 2] == '.' &&
                      text.find_first_not_of("0123456789.") == std::string::npos &&
                      text.find('.') == text.size() - 2 && text[0] != '0';
  if (!is_one) sources.fail("compute", "must be a compute capability such as \"8.9\"");
  out.compute.major = static_cast<std::uint32_t>(std::stoul(text));
  out.compute.minor = static_cast<std::uint32_t>(text.back() - '0');
  const auto architecture = 10 * out.compute.major + out.compute.minor;
  out.architecture = fmt::format("sm_{}", std::max(architecture, kOldestArchitecture));
}

/// Returns the value in the profile's own unit; fails if it is outside the field's range.
double number_of(const Sources& sources, const Field& field, const toml::node& node,
                 double clock_hz) {
  const bool has_to_say = field.unit == Unit::kHertz || field.unit == Unit::kSeconds ||
                          field.unit == Unit::kBytesPerSecond;
  double value = NAN;
  if (const auto text = node.value_exact<std::string>(); text && field.unit != Unit::kNone) {
    try {
      value = quantity(*text, field.unit, clock_hz);
    } catch (const base::UsageError& error) {
      sources.fail(node, field.key, error.what());
    }
  } else if (has_to_say) {
    sources.fail(node, field.key,
                 "must have its unit, such as \"145 ns\", \"1980 MHz\", \"900 GB/s\"");
  } else if (node.is_number()) {
    value = node.value<double>().value_or(NAN);
  } else {
    sources.fail(node, field.key,
                 fmt::format("must be a number, but is {}", base::type_name(node)));
  }
  if (!(value >= field.least && value <= field.most)) {  // also catches NaN
    sources.fail(node, field.key,
                 fmt::format("is {:g}; must be from {:g} to {:g}", value, field.least, field.most));
  }
  return value;
}

template <typename Number>
std::optional<Number> unless_zero(Number number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

void read_number(const Sources& sources, const Field& field, double clock_hz, Profile& out) {
  const auto* node = sources.find(field.key);
  if (node == nullptr) return;
  if (const auto* flag = std::get_if<At<bool>>(&field.at)) {
    const auto value = node->value_exact<bool>();
    if (!value) sources.fail(*node, field.key, "must be true or false");
    (*flag)(out) = *value;
    return;
  }
  const double value = number_of(sources, field, *node, clock_hz);
  if (const auto* real = std::get_if<At<double>>(&field.at)) {
    (*real)(out) = value;
    return;
  }
  if (const auto* real = std::get_if<At<std::optional<double>>>(&field.at)) {
    (*real)(out) = unless_zero(value);
    return;
  }
  if (value != std::floor(value)) sources.fail(*node, field.key, "must be a whole number");
  const auto whole = static_cast<std::uint32_t>(value);
  if (const auto* number = std::get_if<At<std::uint32_t>>(&field.at)) {
    (*number)(out) = whole;
    return;
  }
  std::get<At<std::optional<std::uint32_t>>>(field.at)(out) = unless_zero(whole);
}

void read_by_kind(const Sources& sources, std::string_view table, ErrorsByKind& out) {
  const auto* node = sources.own().get(table);
  if (node == nullptr) return;
  if (!node->is_table()) {
    sources.fail(*node, table, "must be a table such as { copy = 0.2 }");
  }
  for (const auto& [key, error] : *node->as_table()) {
    const auto found = std::ranges::find(kKernelKinds, key.str());
    if (found == kKernelKinds.end()) {
      sources.fail(error, key.str(),
                   fmt::format("unknown kind of kernel{}; it is one of: {}",
                               did_you_mean_key(key.str(), kKernelKinds), listed(kKernelKinds)));
    }
    const double value = error.value<double>().value_or(NAN);
    if (!(value > 0 && value < 1)) sources.fail(error, key.str(), "must be between 0 and 1");
    out.at(static_cast<std::size_t>(found - kKernelKinds.begin())) = value;
  }
}

/// Checks relations between numbers that the models rely on.
void check_together(const Sources& sources, const Profile& p) {
  const bool is_cached = p.rules.coalescing == Coalescing::kSectors;
  if (is_cached != p.l2.bytes.has_value()) {
    sources.fail("l2_bytes", is_cached ? "must not be 0 where coalescing is by sectors"
                                       : "must be 0 where coalescing is by half-warps");
  }
  if (is_cached != p.l2.sectors_per_clock.has_value()) {
    sources.fail("l2_sectors_per_clock", "must be above 0 on cards with an L2, and 0 on others");
  }
  if (is_cached && (p.l2.latency_seconds <= 0 || p.dram.latency_seconds < p.l2.latency_seconds)) {
    sources.fail("l2_latency", "must be above 0 and at most `dram_latency`");
  }
  if (is_cached && p.dram.loaded_latency_seconds < p.dram.latency_seconds) {
    sources.fail("dram_loaded_latency", "must be at least `dram_latency`");
  }
  if (is_cached == p.dram.partitions.has_value() || is_cached != (p.dram.partition_width == 0)) {
    sources.fail("partitions",
                 "must be 0, like `partition_width`, on cards with an L2, and above 0 on others");
  }
  if (p.l2.fetch_bytes != 32 && p.l2.fetch_bytes != 64) {
    sources.fail("l2_fetch_bytes", "must be 32 or 64");
  }
  if (p.sm.limits.threads_per_block > p.sm.limits.warps * 32) {
    sources.fail("max_threads_per_block", "is more than `max_warps_per_sm` warps have");
  }
  if (p.shared.max_bytes_per_block + p.shared.reserved_bytes_per_block > p.shared.bytes &&
      p.rules.shared_banks != SharedBanks::kSixteenHalfWarp) {
    sources.fail("max_shared_bytes_per_block",
                 "is more than `shared_bytes_per_sm`, less what is reserved a block");
  }
  if (p.l1.max_cache_bytes.value_or(0) > p.l1.bytes)
    sources.fail("l1_most_bytes", "is more than `l1_bytes`");
  if (p.l2.stored_sectors_per_second && !p.sm.port_stored_bytes_per_clock) {
    sources.fail("port_stored_bytes_per_clock_per_sm",
                 "must be given together with `l2_stored_sectors_per_second`");
  }
}

}  // namespace

Profile read_profile(std::string_view text, const std::string& shown, const std::string& name,
                     const TextOfProfile& text_of) {
  const Sources sources(text, shown, text_of);
  check_keys(sources);
  Profile out;
  out.name = name;
  out.product = text_of_key(sources, "product");
  if (sources.own().contains("validated")) out.validated = text_of_key(sources, "validated");
  read_compute(sources, out);
  out.rules.coalescing = static_cast<Coalescing>(choice_of(sources, "coalescing", kCoalescings));
  out.rules.shared_banks = static_cast<SharedBanks>(choice_of(sources, "shared_banks", kBanks));
  if (sources.find("tag_banks") != nullptr) {
    out.rules.tag_banks = static_cast<TagBanks>(choice_of(sources, "tag_banks", kTagBanks));
  }
  for (const Field& field : fields()) {  // the clock precedes values given in clocks
    read_number(sources, field, out.sm.clock_hz, out);
  }
  read_by_kind(sources, kSpeedErrors, out.errors.speed_by_kind);
  read_by_kind(sources, kSpeedMargins, out.errors.margin_by_kind);
  check_together(sources, out);
  return out;
}

namespace {

// Finds profiles by name among the embedded ones, or by path in files.

namespace fs = std::filesystem;

// Real profiles have a few kilobytes.
constexpr std::uintmax_t kMostFileBytes = 1 << 20;

[[noreturn]] void no_such_device(std::string_view name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const auto& one : kProfileTexts) {
    names.push_back(one.stem());
    list += fmt::format("{}{}", list.empty() ? "" : ", ", one.stem());
  }
  const std::string_view nearest = base::nearest(name, names);
  throw base::UsageError(
      fmt::format("unknown device '{}'{}; devices: {}", base::escape_controls(name),
                  nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest), list));
}

std::string_view text_of(std::string_view name) {
  for (const auto& one : kProfileTexts) {
    if (one.stem() == name) return one.text;
  }
  no_such_device(name);
}

struct Library {
  std::vector<Profile> all;
  std::vector<const Profile*> pointers;

  Library() {
    for (const auto& one : kProfileTexts) {
      all.push_back(read_profile(one.text, fmt::format("profiles/{}", one.name),
                                 std::string(one.stem()), text_of));
    }
    for (const Profile& profile : all) pointers.push_back(&profile);
  }
};

const Library& library() {
  static const Library kLibrary;
  return kLibrary;
}

std::string content_of(const fs::path& path, const std::string& shown) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw base::UsageError(
        fmt::format("{}: {}", shown, fs::exists(path, error) ? "is not a file" : "no such file"));
  }
  if (const auto bytes = fs::file_size(path, error); !error && bytes > kMostFileBytes) {
    throw base::UsageError(fmt::format("{}: {} bytes are too many for a profile", shown, bytes));
  }
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw base::UsageError(fmt::format("{}: cannot be read", shown));
  return text;
}

Profile from_file(const std::string& file) {
  const fs::path path(file);
  const auto shown = base::escape_controls(file);
  const auto name = path.stem().string();
  const auto is_taken = [&](const Profile& one) { return one.name == name; };
  const auto& all = library().all;
  if (std::any_of(all.begin(), all.end(), is_taken)) {
    throw base::UsageError(fmt::format(
        "{}: the program has a profile called `{}`: give the file another name", shown, name));
  }
  return read_profile(content_of(path, shown), shown, base::escape_controls(name), text_of);
}

/// Reads each file once, so that a profile cannot change during a run.
class Files {
 public:
  const Profile& of(const std::string& file) {
    const std::lock_guard lock(mutex_);
    for (const Read& one : read_) {
      if (one.file == file) return one.profile;
    }
    return read_.emplace_back(Read{file, from_file(file)}).profile;
  }

 private:
  struct Read {
    std::string file;
    Profile profile;
  };
  std::mutex mutex_;
  std::deque<Read> read_;
};

}  // namespace

std::span<const Profile* const> profiles() { return library().pointers; }

const Profile& find(std::string_view name) {
  for (const Profile* profile : profiles()) {
    if (profile->name == name) return *profile;
  }
  if (name.ends_with(".toml")) {
    static Files files;
    return files.of(std::string(name));
  }
  no_such_device(name);
}

}  // namespace warpgrade::device
