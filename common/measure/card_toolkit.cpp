// SPDX-License-Identifier: Apache-2.0
#include "common/measure/card_toolkit.h"

#include <fmt/format.h>

#include "common/base/error.h"
#include "common/compile/toolkit.h"

namespace warpgrade::measure {
namespace {

// cuDriverGetVersion() returns 12040 for 12.4.
std::uint32_t series_of(std::uint32_t version) { return version / 1000; }

}  // namespace

ToolkitChoice toolkit_for(const gpu::DeviceInfo& info) {
  const auto generation = 10 * info.compute_major + info.compute_minor;
  if (generation < 50) {
    return {0, fmt::format("{} is of compute capability {}.{}, and CUDA 12 makes code from 5.0 on",
                           info.name, info.compute_major, info.compute_minor)};
  }
  const auto series = series_of(info.driver_cuda);
  if (info.driver_cuda != 0 && series < compile::kNewestSeries) {
    return {series < compile::kOldestSeries ? 0 : series,
            fmt::format("the driver of {} loads code of CUDA {}.{} at most", info.name, series,
                        info.driver_cuda % 1000 / 10)};
  }
  if (generation < 75) {
    return {12, fmt::format("{} is of compute capability {}.{}, and CUDA 13 makes code from 7.5 on",
                            info.name, info.compute_major, info.compute_minor)};
  }
  return {compile::kNewestSeries, {}};
}

void choose_toolkit(const gpu::DeviceInfo& info) {
  const auto choice = toolkit_for(info);
  if (choice.most == 0) {
    throw base::ToolError(
        fmt::format("{}: it cannot measure; --backend sim grades without it", choice.why));
  }
  compile::limit_toolkit(choice.most, choice.why);
  try {
    compile::find_toolkit();
  } catch (const base::ToolError&) {
    compile::limit_toolkit(compile::kNewestSeries, {});  // for callers that go on without the GPU
    throw;
  }
}

}  // namespace warpgrade::measure
