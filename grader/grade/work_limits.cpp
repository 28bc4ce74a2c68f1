// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/work_limits.h"

#include "grader/cases/case_launch.h"

namespace warpgrade::grader {

std::vector<std::uint64_t> work_limits(const Exercise& exercise, const std::vector<Place>& places) {
  const auto bytes_of = [&](const Place& place) {
    return static_cast<double>(buffer_bytes(exercise.parameters, place.variables()));
  };
  double all = 0;
  for (const auto& place : places) all += bytes_of(place);
  std::vector<std::uint64_t> out;
  for (const auto& place : places) {
    if (!place.item->measured) {
      out.push_back(kSmallWork / places.size());
      continue;
    }
    const double share = bytes_of(place) / all;
    out.push_back(static_cast<std::uint64_t>(share * static_cast<double>(kMeasuredWork)));
  }
  return out;
}

}  // namespace warpgrade::grader
