// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/target.h"

namespace warpgrade::grader {

run::Backend Target::backend() const {
  return std::holds_alternative<measure::GpuBench*>(bench) ? run::Backend::kGpu
                                                           : run::Backend::kSim;
}

const device::Profile& Target::profile() const {
  return std::visit([](const auto* one) -> const device::Profile& { return one->profile(); },
                    bench);
}

std::vector<Target> targets_of(const Exercise& exercise, const std::string& only_device,
                               const SimBenches& sim, measure::GpuBench* gpu) {
  auto devices = exercise.devices();
  if (!only_device.empty()) devices = {only_device};
  std::vector<Target> out;
  for (const auto& device : devices) {
    const bool has_gpu = gpu != nullptr && device == gpu->profile().name;
    if (has_gpu) out.push_back({device, gpu});
    // The simulator also finds what no GPU tells: races, reads of what was never written.
    out.push_back({device, &sim(device)});
  }
  return out;
}

}  // namespace warpgrade::grader
