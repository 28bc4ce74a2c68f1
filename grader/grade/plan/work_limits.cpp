// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/work_limits.h"

#include <algorithm>

#include "common/base/dim3.h"

namespace warpgrade::grader::grade {

namespace {

std::uint64_t threads_of(const Place& place) {
  std::uint64_t threads = 0;
  for (const auto& launch : place.sized->launches.sequence.launches) {
    threads += base::volume(launch.grid) * base::volume(launch.block);
  }
  return threads;
}

double traffic_of(const Place& place) {
  return static_cast<double>(least_traffic(place.sized->buffers));
}

// Less than a second of one core, and so many times the instructions of the whole reference.
constexpr std::uint64_t kLeastBlockWork = std::uint64_t{1} << 25;
constexpr std::uint64_t kTimesReference = 1024;

}  // namespace

std::uint64_t block_limit(std::uint64_t work, std::uint64_t reference_instructions) {
  const auto share = work / kBlocksInACase;
  if (reference_instructions == 0) return share;
  return std::min(share, kLeastBlockWork + kTimesReference * reference_instructions);
}

std::uint64_t small_limit(const Place& place, std::uint64_t reference_instructions) {
  if (place.item->sampled) return kLeastCaseWork;
  // A warp of a plain kernel executes about 32 instructions.
  const auto instructions = std::max(threads_of(place), reference_instructions);
  return std::min(kMostCaseWork, kLeastCaseWork + kBlocksInACase * kTimesReference * instructions);
}

std::vector<std::uint64_t> work_limits(const std::vector<Place>& places) {
  double all_bytes = 0;
  for (const auto& place : places) all_bytes += traffic_of(place);
  std::vector<std::uint64_t> out;
  for (const auto& place : places) {
    out.push_back(place.item->measured
                      ? static_cast<std::uint64_t>(traffic_of(place) / all_bytes *
                                                   static_cast<double>(kMeasuredWork))
                      : small_limit(place, 0));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
