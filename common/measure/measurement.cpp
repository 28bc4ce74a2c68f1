// SPDX-License-Identifier: Apache-2.0
// The results of measuring a sequence of launches, and the sum of its instructions.
#include "common/measure/measurement.h"

#include <cstdint>

#include "common/run/runner.h"

namespace warpgrade::measure {

std::uint64_t thread_instructions(const run::Result& result) {
  std::uint64_t sum = 0;
  for (const auto& count : result.instructions) sum += count.threads;
  return sum;
}

}  // namespace warpgrade::measure
