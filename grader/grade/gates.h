// SPDX-License-Identifier: Apache-2.0
// Which gates an exercise has where it is graded, and how a measurement decides them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/comparison.h"
#include "common/measure/measurement.h"
#include "grader/course/manifest.h"
#include "grader/grade/target.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

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
