// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/plan.h"

#include <utility>
#include <variant>

#include "grader/cases/input_salt.h"

namespace warpgrade::grader::grade {

Plan::Plan(const GradingServices& all_services, const GradingTask& of, std::vector<Target> on,
           std::string device)
    : services(all_services), task(of), targets(std::move(on)), only_device(std::move(device)) {
  if (const auto* source = std::get_if<compile::CompileRequest>(&task.submission.content)) {
    salt = cases::input_salt(source->source);
  }
  const auto draw = static_cast<std::uint32_t>(salt % course::Case::kDraws);
  const auto* calibration = services.gpu ? services.gpu->calibration : nullptr;
  gates =
      plan_gates(kernel(), lab().id + "/" + exercise().id, targets, calibration, only_device, draw);
  PlaceMaker at(exercise(), draw);
  for (const auto& target : targets) {
    for (const auto& item : kernel().cases) {
      if (item.sampled && target.is_gpu()) continue;
      places.push_back(at.make(target, item));
    }
  }
}

Plan plan_grade(const GradingServices& services, const GradingTask& task,
                const std::string& only_device) {
  const auto& gpu = services.gpu;
  return {services, task,
          targets_of(task.kernel(), only_device, services.simulator.bench,
                     gpu ? gpu->bench : nullptr, gpu && gpu->counters),
          only_device};
}

}  // namespace warpgrade::grader::grade
