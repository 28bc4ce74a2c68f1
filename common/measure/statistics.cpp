// SPDX-License-Identifier: Apache-2.0
#include "common/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::measure {

double median(std::span<const double> samples) {
  if (samples.empty()) throw base::UsageError("a median needs at least one sample");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
}

// The k-th smallest sample is above the median only if fewer than k samples are below it; each
// sample is below it with probability 1/2.
std::optional<Interval> median_interval(std::span<const double> samples, double risk) {
  const auto count = samples.size();
  // The probability that exactly `below` samples are below the median.
  double chance = std::pow(0.5, static_cast<double>(count));
  double tail = 0;
  std::size_t k = 0;
  for (std::size_t below = 0; below < count / 2; ++below) {
    tail += chance;
    if (2 * tail > risk) break;
    k = below + 1;
    chance *= static_cast<double>(count - below) / static_cast<double>(below + 1);
  }
  if (k == 0) return std::nullopt;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[k - 1], sorted[count - k]};
}

double standard_deviation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  double mean = 0;
  for (const double sample : samples) mean += sample / static_cast<double>(samples.size());
  double sum = 0;
  for (const double sample : samples) sum += (sample - mean) * (sample - mean);
  return std::sqrt(sum / static_cast<double>(samples.size() - 1));
}

}  // namespace warpgrade::measure
