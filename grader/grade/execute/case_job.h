// SPDX-License-Identifier: Apache-2.0
// One case to be executed on a simulated device: where, with which contents, within which limits.
#pragma once

#include <cstdint>
#include <functional>

#include "grader/grade/plan/place.h"

namespace warpgrade::grader::grade {

struct CaseJob {
  Place place;
  std::uint64_t variant = 0;  ///< The contents of the case's buffers follow from it.
  bool is_shared = true;      ///< Other runs have the same contents.
  std::uint64_t work = 0;     ///< Units that all its runs may use, see work_limits.h.
  unsigned threads = 0;       ///< Threads of the host; 0: all.
  /// Whether an earlier case has a wrong result; waits for those cases.
  std::function<bool()> is_wrong_before = [] { return false; };
};

/// The bench of a place on a simulated device.
inline measure::SimBench& sim_bench_of(const Place& place) {
  return *std::get<measure::SimBench*>(place.target->bench);
}

}  // namespace warpgrade::grader::grade
