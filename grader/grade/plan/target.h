// SPDX-License-Identifier: Apache-2.0
// The targets on which an exercise's cases run: simulated devices, and this machine's GPU. Each has
// sizes that fit its memory.
// Without a GPU every device is a simulated one. Any GPU takes over the gates on fraction_of_copy
// (plan.h). The simulator still counts, and still checks the result on every device that a gate
// names.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "common/run/runner.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::grade {

// Makes the measured cases of an exercise fit the memory of a GPU.
//
// A comparison holds the inputs of all cases at once and the buffers of the largest. If a card has
// too little memory, the variables in which the measured size differs from the simulated one are
// divided by 2, 4, ... All use the same divisor, so a square stays a square. Sizes are rounded down
// to a multiple that all sizes of the case share, so whole tiles stay whole. A size stays large
// enough that caches do not matter. If no divisor fits, the cases run at their simulated sizes;
// this checks the results there, but not the speed.

struct CardFit {
  std::uint32_t divisor = 1;  ///< 0: the card cannot measure the exercise.
};

/// Bytes of a card's memory for a comparison of all measured cases at their full sizes.
double most_card_bytes(const course::KernelExercise& exercise);

CardFit fit_to_card(const course::KernelExercise& exercise, const measure::CardRoom& room);

/// The draw of a submission with that salt (cases/submission.h), for the sizes of measured cases.
constexpr std::uint32_t draw_of(std::uint64_t salt) {
  return static_cast<std::uint32_t>(salt % course::Case::kDraws);
}

/// Variables of the size at which `item` is timed on a card with that fit.
text::Variables card_variables(const course::Case& item, std::uint32_t draw, const CardFit& fit);

struct Target {
  std::string device;  ///< Profile name; "gpu" for a card without one.
  std::variant<measure::SimBench*, measure::GpuBench*> bench;
  course::Generation generation = {};  ///< A GPU's.
  CardFit fit = {};                    ///< How the measured cases fit a GPU's memory.

  run::Backend backend() const;
  bool is_gpu() const { return backend() == run::Backend::kGpu; }
  /// The bench of a simulated device, and of the GPU. Throw if it is the other one.
  measure::SimBench& sim() const { return *std::get<measure::SimBench*>(bench); }
  measure::GpuBench& gpu() const { return *std::get<measure::GpuBench*>(bench); }
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
