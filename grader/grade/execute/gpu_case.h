// SPDX-License-Identifier: Apache-2.0
// A small case on the GPU: launched once and checked. Every failure of the GPU ends as GpuTrouble.
#pragma once

#include "common/measure/gpu_bench.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// The outcome has no speed yet.
CaseOutcome check_on_gpu(const Plan& plan, const Place& place);

/// The bench of a place on the GPU.
inline measure::GpuBench& gpu_bench_of(const Place& place) {
  return *std::get<measure::GpuBench*>(place.target->bench);
}

}  // namespace warpgrade::grader::grade
