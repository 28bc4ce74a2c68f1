// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/target.h"

#include <algorithm>

#include "common/measure/card_profile.h"

namespace warpgrade::grader::grade {

run::Backend Target::backend() const {
  return std::holds_alternative<measure::GpuBench*>(bench) ? run::Backend::kGpu
                                                           : run::Backend::kSim;
}

const device::Profile& Target::profile() const {
  return std::visit([](const auto* one) -> const device::Profile& { return one->profile(); },
                    bench);
}

text::Variables Target::variables_of(const course::Case& item, std::uint32_t draw) const {
  return is_gpu() ? card_variables(item, draw, fit) : item.variables;
}

std::vector<Target> targets_of(const course::KernelExercise& exercise,
                               const std::string& only_device, const SimBenches& sim,
                               measure::GpuBench* gpu, bool is_counted) {
  std::vector<Target> out;
  auto devices = exercise.devices();
  if (only_device == measure::kUnknownCard) {
    devices.clear();
  } else if (!only_device.empty()) {
    devices = {only_device};
  }
  if (is_counted && only_device.empty() && gpu != nullptr) {
    const std::string own(gpu->profile().name);
    const bool is_new = std::find(devices.begin(), devices.end(), own) == devices.end();
    if (is_new && own != measure::kUnknownCard) devices.push_back(own);
  }
  // The simulator also finds faults that a GPU cannot report: races, reads of uninitialized memory.
  for (const auto& device : devices) out.push_back({device, &sim(device)});
  if (gpu == nullptr) return out;
  const auto& profile = gpu->profile();
  const auto own = std::find_if(out.begin(), out.end(),
                                [&](const Target& one) { return one.device == profile.name; });
  if (own == out.end() && !only_device.empty() && only_device != measure::kUnknownCard) return out;
  Target card{std::string(profile.name),
              gpu,
              {profile.compute.major, profile.compute.minor},
              fit_to_card(exercise, gpu->room())};
  out.insert(own == out.end() ? out.begin() : own, std::move(card));
  return out;
}

}  // namespace warpgrade::grader::grade
