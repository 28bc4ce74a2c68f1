// SPDX-License-Identifier: Apache-2.0
#include "grader/course/metric_names.h"

#include <algorithm>

#include "common/memory/metrics.h"

namespace warpgrade::grader {

std::vector<std::string> metric_names() {
  auto out = memory::metric_names();
  for (const auto name :
       {kFractionOfCopy, kFractionOfRoofline, kRegistersPerThread, kStaticSharedBytes, kWaves}) {
    out.emplace_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace warpgrade::grader
