// SPDX-License-Identifier: Apache-2.0
#include "grader/report/profile_roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"
#include "common/memory/lines.h"
#include "grader/report/render_measurements.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {
namespace {

double count_of(const memory::Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(name);
  return found == metrics.end() ? 0 : found->second;
}

std::string optional_text(const std::optional<double>& value, const auto& text) {
  return value ? text(*value) : std::string("-");
}

std::string intensity_text(double value) {
  return value < 0.01 ? fmt::format("{:.2g}", value) : text::number(value);
}

}  // namespace

std::optional<double> ProfileRoofline::intensity(const Operations& of, const Level& level) {
  return level.bytes > 0 ? std::optional(of.count / level.bytes) : std::nullopt;
}

std::optional<ProfileRoofline::Roof> ProfileRoofline::roof(const Operations& of) const {
  if (!of.peak) return std::nullopt;
  Roof out{*of.peak, of.kind};
  const auto lower = [&](const Level& level, const char* name) {
    const auto per_byte = intensity(of, level);
    if (!per_byte || !level.peak || *per_byte * *level.peak >= out.rate) return;
    out = {*per_byte * *level.peak, name};
  };
  lower(l2, "l2");
  lower(dram, "dram");
  return out;
}

std::optional<double> ProfileRoofline::share(const Operations& of) const {
  const auto most = roof(of);
  return most ? std::optional(rate(of) / most->rate) : std::nullopt;
}

std::optional<ProfileRoofline> roofline_of(const device::Profile& profile,
                                           const timing::Arithmetic& arithmetic,
                                           const memory::Metrics& metrics, double seconds) {
  ProfileRoofline out;
  for (std::size_t i = 0; i < timing::kArithmeticKinds; ++i) {
    const auto kind = static_cast<timing::ArithmeticKind>(i);
    const double count = arithmetic.operations(kind);
    if (count <= 0) continue;
    out.operations.push_back({std::string(name(kind)), count, timing::peak_rate(profile, kind)});
  }
  if (out.operations.empty() || seconds <= 0) return std::nullopt;
  out.seconds = seconds;
  out.lacks_functions = arithmetic.lacks_functions();
  const auto without_launch = [](double all, double of_launch) {
    return std::max(0.0, all - of_launch);
  };
  out.dram.bytes =
      without_launch(count_of(metrics, "dram__bytes_read.sum"), profile.launch.dram_read_bytes) +
      count_of(metrics, "dram__bytes_write.sum");
  out.dram.peak = profile.dram.bytes_per_second;
  if (!profile.l2.bytes) return out;
  out.l2.bytes =
      memory::kSectorBytes * (without_launch(count_of(metrics, "lts__t_sectors_op_read.sum"),
                                             profile.launch.l2_read_sectors) +
                              without_launch(count_of(metrics, "lts__t_sectors_op_write.sum"),
                                             profile.launch.l2_write_sectors));
  if (profile.l2.sectors_per_clock) {
    out.l2.peak = memory::kSectorBytes * *profile.l2.sectors_per_clock * profile.sm.clock_hz;
  }
  return out;
}

std::string rate_text(const std::string& kind, double per_second) {
  const bool is_integer = kind == "integer" || kind == "tensor int8";
  return text::with_prefix(per_second, is_integer ? "op/s" : "FLOP/s");
}

std::vector<std::vector<std::string>> roofline_rows(const ProfileRoofline& roofline) {
  std::vector<std::vector<std::string>> out = {{"kind", "operations", "rate", "peak",
                                                "per byte of DRAM", "of L2", "roof", "limit",
                                                "share"}};
  for (const auto& one : roofline.operations) {
    const auto rate = [&](double value) { return rate_text(one.kind, value); };
    const auto roof = roofline.roof(one);
    out.push_back({one.kind, base::grouped(static_cast<std::uint64_t>(one.count)),
                   rate(roofline.rate(one)), optional_text(one.peak, rate),
                   optional_text(ProfileRoofline::intensity(one, roofline.dram), intensity_text),
                   optional_text(ProfileRoofline::intensity(one, roofline.l2), intensity_text),
                   roof ? rate(roof->rate) : "-", roof ? roof->limited_by : "-",
                   optional_text(roofline.share(one), ratio_text)});
  }
  return out;
}

std::string traffic_text(const ProfileRoofline& roofline) {
  std::string out;
  const auto add = [&](const char* name, const ProfileRoofline::Level& level) {
    if (level.bytes <= 0) return;
    out += fmt::format("{}{} moves {} at {}", out.empty() ? "" : ", ", name,
                       text::with_prefix(level.bytes, "B"),
                       text::bytes_per_second(level.bytes / roofline.seconds));
    if (level.peak) out += " of " + text::bytes_per_second(*level.peak);
  };
  add("DRAM", roofline.dram);
  add("L2", roofline.l2);
  return out;
}

std::string not_counted_text(const ProfileRoofline& roofline) {
  return fmt::format(
      "Not counted: comparisons, minima and maxima, conversions, table functions, {}sums of "
      "atomics.",
      roofline.lacks_functions ? "divisions and roots (no machine code is known), and " : "and ");
}

}  // namespace warpgrade::grader::report
