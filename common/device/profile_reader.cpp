// SPDX-License-Identifier: Apache-2.0
#include "common/device/profile_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "common/base/text.h"
#include "common/device/profile_fields.h"

namespace warpgrade::device {
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

}  // namespace warpgrade::device
