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

double relative_spread(std::span<const double> samples) {
  const double middle = median(samples);
  std::vector<double> distances;
  for (const double sample : samples) distances.push_back(std::abs(sample - middle));
  const double distance = median(distances);
  return distance == 0 ? 0 : distance / middle;
}

}  // namespace warpgrade::measure
