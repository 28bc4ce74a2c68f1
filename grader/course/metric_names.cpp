// SPDX-License-Identifier: Apache-2.0
#include "grader/course/metric_names.h"

#include <algorithm>

#include "common/memory/metrics.h"
#include "grader/course/launch_metrics.h"

namespace warpgrade::grader::course {

std::vector<std::string> metric_names() {
  auto out = memory::metric_names();
  for (const auto name : {kFractionOfCopy, kFractionOfRoofline}) out.emplace_back(name);
  for (const auto& metric : launch_metrics()) out.emplace_back(metric.name);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace warpgrade::grader::course
