// SPDX-License-Identifier: Apache-2.0
#include "common/measure/measurement.h"

namespace warpgrade::measure {

std::uint64_t thread_instructions(const run::Result& result) {
  std::uint64_t sum = 0;
  for (const auto& count : result.instructions) sum += count.threads;
  return sum;
}

}  // namespace warpgrade::measure
