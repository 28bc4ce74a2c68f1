// SPDX-License-Identifier: Apache-2.0
// Where an exercise's gates are measured, and what a measurement says of them.
//
// Without a GPU every device is a simulated one. With a GPU, the card takes over the
// fraction_of_copy gates of its own profile; counters and other devices stay with the simulator,
// which is the only one to count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/measure.h"
#include "grader/course/manifest.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// One place where a submission is run: a bench, and the program compiled for it.
struct Target {
  measure::Bench* bench = nullptr;
  std::string device;
  bool is_gpu = false;
  const compile::Program* program = nullptr;

  const Variables& variables(const Case& item) const;
};

/// The targets that the gates of `exercise` ask for, `only_device` alone where it is not empty.
std::vector<Target> targets_of(const Exercise& exercise, const std::string& only_device,
                               const std::function<measure::Bench&(const std::string&)>& sim,
                               measure::Bench* gpu);

/// The gates that are measured on `targets`, not measured yet.
std::vector<GateResult> gates_of(const Exercise& exercise, const std::vector<Target>& targets);

/// Whether a gate compares the time of `item` on `target` with that of a copy.
bool has_speed_gate(const Exercise& exercise, const Target& target, const Case& item);

/// Evaluates those gates of `report`, which are gates_of(exercise), that `item` on `target` has a
/// say in; `bytes` is what the kernel must move at least, for the copy to compare with, where there
/// is no `fraction` that was measured beside it. Failed gates get their table of lines.
void measure_gates(const Exercise& exercise, const Target& target, const Case& item,
                   const compile::Kernel& kernel, const measure::Measurement& measured,
                   std::uint64_t bytes, const std::optional<measure::Fraction>& fraction,
                   ExerciseReport& report);

/// What the speed gates ask of `item` on `target`: the bounds that a measurement must decide, those
/// of waived gates left out.
std::vector<double> speed_bounds(const Exercise& exercise, const Target& target, const Case& item,
                                 const ExerciseReport& report);

/// Leaves the tables of mechanism gates where there are any, else the first of a speed gate.
void keep_lines_that_matter(ExerciseReport& report);

}  // namespace warpgrade::grader
