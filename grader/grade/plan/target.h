// SPDX-License-Identifier: Apache-2.0
// The places where an exercise's cases run: simulated devices, and this machine's GPU.
//
// Without a GPU every device is a simulated one. Any GPU takes over the gates on fraction_of_copy
// (see gate_plan.h). The simulator still counts, and still checks the result on every device that a
// gate names.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "common/run/backend.h"
#include "grader/course/manifest.h"
#include "grader/grade/plan/card_fit.h"

namespace warpgrade::grader::grade {

struct Target {
  std::string device;  ///< Profile name; "gpu" for a card without one.
  std::variant<measure::SimBench*, measure::GpuBench*> bench;
  course::Generation generation = {};  ///< A GPU's.
  CardFit fit = {};                    ///< How the measured cases fit a GPU's memory.

  run::Backend backend() const;
  bool is_gpu() const { return backend() == run::Backend::kGpu; }
  const device::Profile& profile() const;
  /// The size at which `item` is executed whole here.
  text::Variables variables_of(const course::Case& item, std::uint32_t draw) const;
};

/// The simulated device of a name; the reference stays valid while grading.
using SimBenches = std::function<measure::SimBench&(const std::string& device)>;

/// The targets that the gates of `exercise` need; only `only_device` if it is not empty. If that is
/// measure::kUnknownCard, the GPU without any simulated device. `gpu` may be nullptr. If
/// `is_counted`, the GPU's profile is simulated too, whatever devices the gates name, to compare
/// counters.
std::vector<Target> targets_of(const course::KernelExercise& exercise,
                               const std::string& only_device, const SimBenches& sim,
                               measure::GpuBench* gpu, bool is_counted = false);

}  // namespace warpgrade::grader::grade
