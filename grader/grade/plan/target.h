// SPDX-License-Identifier: Apache-2.0
// The places where an exercise's cases run: simulated devices, and this machine's GPU. Each has
// sizes that fit its memory. The work of a simulated case is limited.
// Without a GPU every device is a simulated one. Any GPU takes over the gates on fraction_of_copy
// (plan.h). The simulator still counts, and still checks the result on every device that a gate
// names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/compile/program.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "grader/cases/sized_case.h"
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

CardFit fit_to_card(const course::KernelExercise& exercise, const measure::CardRoom& room);

/// Variables of the size at which `item` is timed on a card with that fit.
text::Variables card_variables(const course::Case& item, std::uint32_t draw, const CardFit& fit);

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

// A case on a target, with its kernels and sizes.

struct Place {
  const Target* target = nullptr;
  const course::Case* item = nullptr;
  /// The size that is executed whole here. On a GPU it is the size whose speed is graded, which may
  /// be larger than the simulated one.
  std::shared_ptr<const cases::SizedCase> sized = nullptr;
  std::shared_ptr<const cases::SizedCase> timed = nullptr;  ///< The size whose speed is graded.
  const compile::Program* program = nullptr;                ///< nullptr until it is compiled.
  std::vector<const compile::Kernel*> kernels = {};  ///< One per step of the exercise; likewise.

  const text::Variables& variables() const { return sized->variables; }
};

/// Makes the places of an exercise; those at the same size share its numbers.
class PlaceMaker {
 public:
  /// `exercise` outlives this and must have a kernel; `draw` chooses the sizes of measured cases.
  PlaceMaker(const course::Exercise& exercise, std::uint32_t draw)
      : exercise_(exercise), draw_(draw) {}

  Place make(const Target& target, const course::Case& item);

 private:
  std::shared_ptr<const cases::SizedCase> size(const std::string& name, text::Variables variables);

  const course::Exercise& exercise_;
  std::uint32_t draw_;
  std::map<std::pair<std::string, text::Variables>, std::shared_ptr<const cases::SizedCase>> sizes_;
};

/// The launches of a compiled case at the size of `sized`.
run::Sequence launches_of(const Place& place, const cases::SizedCase& sized);

/// The bytes that must be moved at each size at which `item` may be timed in the simulator.
std::set<std::uint64_t> timed_bytes(const course::KernelExercise& exercise,
                                    const course::Case& item);

// Limits the work of each simulated case of a submission, so that every grade ends soon.
//
// Work is counted (common/sim/micro_op.h), so that a busy machine changes no verdict. The limit of
// a small case depends on its own size only: a case that is added to a manifest changes nothing for
// the others. All small cases together have a limit, too. Measured cases share another amount by
// the bytes of their buffers.

/// Units of work that all small cases of an exercise may use, in all their runs: twelve seconds of
/// one core.
constexpr std::uint64_t kSmallWork = std::uint64_t{5} << 29;
/// The limit of one small case: at least two thirds of a second of one core, and at most six.
constexpr std::uint64_t kLeastCaseWork = std::uint64_t{1} << 27;
/// The same for all measured cases: twenty-five seconds of one core.
constexpr std::uint64_t kMeasuredWork = std::uint64_t{5} << 30;

/// The same for a large case if all its blocks have to run: three seconds of one core.
constexpr std::uint64_t kLargeWork = std::uint64_t{5} << 27;

/// A block that uses more than this part of its case's limit never ends. Several blocks run at a
/// time, so one without an end is found that much sooner.
constexpr std::uint64_t kBlocksInACase = 4;

/// The limit of one block of a case that may use `work`, and for which the course's reference
/// executes `reference_instructions` (0: unknown). A thread that alone does the work of all, one
/// element after another, needs less than a tenth of it.
std::uint64_t block_limit(std::uint64_t work, std::uint64_t reference_instructions);

/// The limit of a small case, for which the course's reference executes `reference_instructions`
/// (0: unknown).
std::uint64_t small_limit(const Place& place, std::uint64_t reference_instructions);

/// The limit of each of `places`, in their order: simulated cases of an exercise, all small ones or
/// all measured ones.
std::vector<std::uint64_t> work_limits(const std::vector<Place>& places);

}  // namespace warpgrade::grader::grade
