// SPDX-License-Identifier: Apache-2.0
#include "common/measure/statistics.h"

#include <algorithm>
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

}  // namespace warpgrade::measure
