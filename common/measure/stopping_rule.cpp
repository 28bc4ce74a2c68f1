// SPDX-License-Identifier: Apache-2.0
#include "common/measure/stopping_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/error.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {

double AbbaSample::log_ratio() const { return std::log((a1 + a2) / (b1 + b2)); }

Side side_of(const FractionEstimate& estimate, double bound) {
  if (estimate.low >= bound) return Side::kAbove;
  return estimate.high < bound ? Side::kBelow : Side::kOpen;
}

void StoppingRule::add(const AbbaSample& sample) {
  const bool possible = sample.a1 > 0 && sample.b1 > 0 && sample.b2 > 0 && sample.a2 > 0;
  if (!possible) throw base::ToolError("a time between two events is not above zero");
  samples_.push_back(sample);
  logs_.push_back(sample.log_ratio());
}

FractionEstimate StoppingRule::estimate() const {
  const std::span<const double> logs(logs_);
  const double middle = median(logs);
  const auto interval = median_interval(logs, options_.risk);
  if (!interval) return {std::exp(middle), 0, std::numeric_limits<double>::infinity()};
  const double first = median(logs.first(logs.size() / 2));
  const double second = median(logs.last(logs.size() / 2));
  const auto [least, most] = std::minmax({first, second});
  const double floor = std::log1p(options_.floor);
  return {std::exp(middle), std::exp(std::min(interval->low, least) - floor),
          std::exp(std::max(interval->high, most) + floor)};
}

bool StoppingRule::is_decided() const {
  if (samples_.empty()) return false;
  const auto now = estimate();
  return std::none_of(options_.bounds.begin(), options_.bounds.end(),
                      [&](double bound) { return side_of(now, bound) == Side::kOpen; }) &&
         (!options_.bounds.empty() || is_narrow());
}

bool StoppingRule::is_narrow() const {
  const auto now = estimate();
  const double half = (std::log(now.high) - std::log(now.low)) / 2;
  return half - std::log1p(options_.floor) <= options_.narrow;
}

// The least number for a risk of 0.0002 is 14; each further look needs half as many samples again.
bool StoppingRule::is_look() const {
  std::size_t look = 14;
  while (look < samples_.size()) look += look / 2;
  return look == samples_.size();
}

bool StoppingRule::is_done(double seconds) const {
  if (samples_.size() >= options_.most_samples || seconds >= options_.most_seconds) return true;
  return is_look() && is_decided() && (samples_.size() >= options_.enough_samples || is_narrow());
}

}  // namespace warpgrade::measure
