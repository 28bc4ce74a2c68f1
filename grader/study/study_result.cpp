// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/timing/bound.h"
#include "grader/study/study.h"

namespace warpgrade::grader::study {
namespace {

// Published values that are closer than this count as equal when the order is judged.
constexpr double kTie = 0.05;

// A number that grows with speed: bytes per second, or launches per second.
std::optional<double> speed(const Run& run) {
  if (run.state != Run::State::kDone || run.seconds <= 0) return std::nullopt;
  return (run.bytes > 0 ? run.bytes : 1.0) / run.seconds;
}

std::optional<double> ratio(std::optional<double> value, std::optional<double> base) {
  if (!value || !base || *base == 0) return std::nullopt;
  return *value / *base;
}

std::size_t kernel_index(const Part& part, const std::string& id) {
  const auto found = std::find_if(part.kernels.begin(), part.kernels.end(),
                                  [&](const Kernel& kernel) { return kernel.id == id; });
  return static_cast<std::size_t>(found - part.kernels.begin());
}

// The published value of a point; the inverse of a time if `as_speed`.
std::optional<double> look_up(const Part& part, const PointIndex& point, bool as_speed) {
  const auto variables = part.variables_at(part.values[point.value]);
  const auto& kernel = part.kernels[point.kernel].id;
  for (const auto& table : part.published) {
    const auto found = table.find(part.devices[point.device].label(), kernel, variables);
    if (found) return as_speed && table.is_time ? 1 / *found : *found;
  }
  return std::nullopt;
}

// Whether a larger value is better, for the order of kernels.
bool more_is_better(const Part& part) {
  return part.quantity != Quantity::kSeconds && part.quantity != Quantity::kL1Clocks;
}

void add_pairs(const PartResult& result, Agreement& agreement, std::size_t device,
               std::size_t value) {
  const auto& part = *result.part;
  if (part.quantity == Quantity::kL1Clocks) return;  // no kernel is to be better than another
  for (std::size_t a = 0; a < part.kernels.size(); ++a) {
    for (std::size_t b = a + 1; b < part.kernels.size(); ++b) {
      const auto look = [&](std::size_t kernel) {
        return look_up(part, {device, kernel, value}, /*as_speed=*/true);
      };
      const auto run = [&](std::size_t kernel) {
        return speed(result.at({device, kernel, value}));
      };
      const auto published = ratio(look(a), look(b));
      const auto modelled = ratio(run(a), run(b));
      if (!published || !modelled) continue;
      if (std::max(*published, 1 / *published) < 1 + kTie) continue;
      ++agreement.pairs;
      const bool level = std::fabs(*modelled - 1) < 1e-9;
      if (!level && (*published > 1) == (*modelled > 1)) continue;
      const auto at = value_text(part, value);
      agreement.misplaced.push_back(fmt::format(
          "{} {} {}{}", part.kernels[*published > 1 ? b : a].id, level ? "level with" : "before",
          part.kernels[*published > 1 ? a : b].id, at.empty() ? "" : " at " + at));
    }
  }
}

}  // namespace

const Run& PartResult::at(const PointIndex& point) const {
  return runs.at((point.device * part->kernels.size() + point.kernel) * part->values.size() +
                 point.value);
}

Run& PartResult::at(const PointIndex& point) {
  return const_cast<Run&>(static_cast<const PartResult&>(*this).at(point));
}

std::vector<PointIndex> PartResult::points() const {
  std::vector<PointIndex> out;
  for (std::size_t d = 0; d < part->devices.size(); ++d) {
    for (std::size_t k = 0; k < part->kernels.size(); ++k) {
      for (std::size_t v = 0; v < part->values.size(); ++v) out.push_back({d, k, v});
    }
  }
  return out;
}

std::optional<double> PartResult::shown(const PointIndex& point) const {
  const auto& run = at(point);
  if (run.state != Run::State::kDone) return std::nullopt;
  switch (part->quantity) {
    case Quantity::kMetric:
    case Quantity::kL1Clocks:
      return run.metric;
    case Quantity::kSeconds:
      return run.seconds;
    case Quantity::kBandwidth:
      return speed(run);
    case Quantity::kStep:
      if (point.kernel == 0) return std::nullopt;
      return ratio(speed(run), speed(at({point.device, point.kernel - 1, point.value})));
    case Quantity::kFraction:
      break;
  }
  if (part->baseline == kCopyBaseline) return ratio(run.copy_seconds, run.seconds);
  return ratio(speed(run),
               speed(at({point.device, kernel_index(*part, part->baseline), point.value})));
}

std::optional<double> PartResult::published(const PointIndex& point) const {
  switch (part->quantity) {
    case Quantity::kStep:
      if (point.kernel == 0) return std::nullopt;
      return ratio(look_up(*part, point, true),
                   look_up(*part, {point.device, point.kernel - 1, point.value}, true));
    case Quantity::kFraction:
      if (part->baseline == kCopyBaseline) return std::nullopt;
      return ratio(
          look_up(*part, point, true),
          look_up(*part, {point.device, kernel_index(*part, part->baseline), point.value}, true));
    default:
      return look_up(*part, point, false);
  }
}

std::optional<double> PartResult::deviation(const PointIndex& point) const {
  const auto found = ratio(shown(point), published(point));
  return found ? std::optional(*found - 1) : std::nullopt;
}

bool PartResult::is_baseline(const PointIndex& point) const {
  return part->quantity == Quantity::kFraction && part->kernels[point.kernel].id == part->baseline;
}

std::optional<double> PartResult::best(std::size_t device, std::size_t kernel) const {
  std::optional<double> out;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < part->values.size(); ++v) {
    const auto value = shown({device, kernel, v});
    if (!value) continue;
    const auto merit = more_is_better(*part) ? *value : -*value;
    if (merit <= most) continue;
    most = merit;
    out = part->values[v];
  }
  return out;
}

std::optional<double> PartResult::published_best(std::size_t device, std::size_t kernel) const {
  for (const auto& table : part->best) {
    const auto found =
        table.find(part->devices[device].name, part->kernels[kernel].id, part->variables);
    if (found) return found;
  }
  return std::nullopt;
}

int Result::exit_code() const {
  if (!diagnostics.empty()) return only_unsupported ? 3 : 1;
  for (const auto& result : parts) {
    for (const auto& run : result.runs) {
      if (run.rule && run.rule != run.metric) return 3;
    }
  }
  return 0;
}

std::vector<Agreement> agreements(const Result& result) {
  std::vector<Agreement> out;
  const auto of_device = [&](const std::string& device) -> Agreement& {
    const auto found = std::find_if(out.begin(), out.end(),
                                    [&](const Agreement& one) { return one.device == device; });
    if (found != out.end()) return *found;
    out.emplace_back().device = device;
    return out.back();
  };
  for (const auto& part : result.parts) {
    for (const auto& point : part.points()) {
      const auto deviation = part.deviation(point);
      if (!deviation || part.is_baseline(point)) continue;
      auto& agreement = of_device(part.part->devices[point.device].label());
      ++agreement.values;
      agreement.mean += std::fabs(*deviation);
      if (std::fabs(*deviation) < std::fabs(agreement.largest)) continue;
      agreement.largest = *deviation;
      const auto at = value_text(*part.part, point.value);
      agreement.largest_at = part.part->kernels[point.kernel].id + (at.empty() ? "" : ", " + at);
    }
    for (auto& agreement : out) {
      for (std::size_t d = 0; d < part.part->devices.size(); ++d) {
        if (part.part->devices[d].label() != agreement.device) continue;
        for (std::size_t v = 0; v < part.part->values.size(); ++v) add_pairs(part, agreement, d, v);
      }
    }
  }
  for (auto& agreement : out) agreement.mean /= static_cast<double>(agreement.values);
  return out;
}

std::string value_text(const Part& part, std::size_t value) {
  if (part.values.size() == 1) return "";
  return fmt::format("{} = {}", part.axis, part.values[value]);
}

}  // namespace warpgrade::grader::study
