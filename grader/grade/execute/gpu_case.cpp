// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/gpu_case.h"

#include <utility>

#include "common/base/error.h"
#include "grader/cases/outputs.h"

namespace warpgrade::grader::grade {

CaseOutcome check_on_gpu(const Plan& plan, const Place& place) {
  CaseOutcome out;
  try {
    const auto expected = plan.services.gpu->reference->expected(plan.lab(), *place.sized);
    auto buffers = expected->before;
    try {
      out.measured =
          gpu_bench_of(place).measure(*place.program, launches_of(place, *place.sized), buffers, 1);
    } catch (const base::UsageError& error) {
      return ended_by(NotLaunchable{error.what()});
    }
    if (!out.measured.result.diagnostics.empty()) {
      out.ending = FoundFaults{out.measured.result.diagnostics};
    } else if (auto wrong = first_difference(place.sized->buffers, *expected, buffers)) {
      out.ending = WrongResult{std::move(*wrong)};
    }
    return out;
  } catch (const base::ToolError& error) {
    return ended_by(GpuTrouble{error.what()});
  }
}

}  // namespace warpgrade::grader::grade
