// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/work_limits.h"

#include <numeric>

#include "common/base/dim3.h"

namespace warpgrade::grader::grade {

namespace {

using Weights = std::vector<double>;

double sum_of(const Weights& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

double threads_of(const Place& place) {
  double threads = 0;
  for (const auto& launch : place.sized->launches.sequence.launches) {
    threads += static_cast<double>(base::volume(launch.grid) * base::volume(launch.block));
  }
  return threads;
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

std::vector<std::uint64_t> work_limits(const std::vector<Place>& places) {
  Weights threads;
  Weights bytes;
  for (const auto& place : places) {
    threads.push_back(place.item->sampled ? 0 : threads_of(place));
    bytes.push_back(static_cast<double>(least_traffic(place.sized->buffers)));
  }
  const double all_threads = sum_of(threads);
  const double all_bytes = sum_of(bytes);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_measured = places[i].item->measured;
    const double equal = 1 / static_cast<double>(places.size());
    const double share =
        is_measured ? bytes[i] / all_bytes : (equal + threads[i] / all_threads) / 2;
    out.push_back(static_cast<std::uint64_t>(
        share * static_cast<double>(is_measured ? kMeasuredWork : kSmallWork)));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
