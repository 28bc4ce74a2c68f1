// SPDX-License-Identifier: Apache-2.0
// The names that a manifest may use, and the metrics that need no run.
// Counters have the names of memory::metric_names(). The grader adds two fractions that compare a
// time with baselines. The compiler or the launch determines the remaining metrics (registers,
// static shared memory, waves), which have Nsight Compute's names. Only gates use these.
#include "grader/course/vocabulary.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/place.h"
#include "common/compile/program.h"
#include "common/memory/metrics.h"
#include "common/run/launch.h"
#include "common/timing/arithmetic.h"
#include "common/timing/bound.h"
#include "common/timing/speed_of_light.h"

namespace warpgrade::grader::course {
namespace {

// The largest of the kernels' figures.
template <std::uint32_t compile::Resources::*figure>
std::optional<double> most(const LaunchFigures& figures) {
  std::uint32_t out = 0;
  for (const auto* kernel : figures.kernels) out = std::max(out, kernel->resources.*figure);
  return static_cast<double>(out);
}

// Unknown if no block fits: the machine code for an older device uses other registers.
std::optional<double> waves(const LaunchFigures& figures) {
  const auto held = std::uint64_t{figures.profile.sm.count} * figures.occupancy.blocks_per_sm;
  if (held == 0) return std::nullopt;
  return static_cast<double>(base::volume(figures.launch.grid)) / static_cast<double>(held);
}

constexpr auto kLaunchMetrics = std::to_array<LaunchMetric>({
    {"launch__registers_per_thread", most<&compile::Resources::registers_per_thread>},
    {kStaticSharedBytes, most<&compile::Resources::static_shared_bytes>},
    {kWaves, waves},
});

}  // namespace

std::span<const LaunchMetric> launch_metrics() { return kLaunchMetrics; }

bool needs_time(std::string_view metric) {
  return is_speed(metric) || std::ranges::binary_search(timing::speed_of_light_names(), metric);
}

bool judges_time(std::string_view metric) {
  const bool is_traffic = metric.ends_with("hit_rate.pct") || metric.starts_with("warpgrade__");
  return needs_time(metric) && !is_traffic;
}

std::vector<std::string> metric_names() {
  auto out = memory::metric_names();
  const auto& light = timing::speed_of_light_names();
  out.insert(out.end(), light.begin(), light.end());
  const auto& arithmetic = timing::arithmetic_names();
  out.insert(out.end(), arithmetic.begin(), arithmetic.end());
  for (const auto name : {kFractionOfCopy, kFractionOfRoofline}) out.emplace_back(name);
  for (const auto& metric : launch_metrics()) out.emplace_back(metric.name);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> missing_metrics(const device::Profile& profile) {
  const auto& light = timing::speed_of_light_names();
  auto out = metric_names();
  std::erase_if(out, [&](const std::string& name) {
    if (std::ranges::binary_search(light, name)) return timing::is_modelled(profile, name);
    return memory::has_unit(profile, name);
  });
  return out;
}

}  // namespace warpgrade::grader::course
