// SPDX-License-Identifier: Apache-2.0
// Reads the launches of an exercise and their parameters: kernel, [exercise.launch] or a list of
// them, and reference.
//
// Parameters with the same name in several prototypes are one parameter. One launch of the
// reference, with `step` and `round` 0, computes the expected results. All launches are checked,
// counted and timed as one (run/runner.h). docs/manifest.md describes the keys.
#pragma once

#include <cstdint>

#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"

namespace warpgrade::grader::course {

/// Reads the list [[launch]] and `rounds` into `out`, whose parameters are known; kernels are
/// names.
void read_steps(text::Table& table, KernelExercise& out);

/// Reads the parameters and the launches of `out` from the exercise's table.
void read_launches(text::Table& table, KernelExercise& out);

/// Throws base::UsageError if a case or a gate has a key that has no meaning for several launches.
void check_sequence(const KernelExercise& exercise, text::Table& table);

/// Throws base::UsageError if only some blocks of a case are executed and their results cannot be
/// compared.
void check_sampling(const KernelExercise& exercise, text::Table& table);

/// Evaluates all that the launches of a case need, so that a mistake is found on reading; throws
/// base::UsageError with its place.
void check_launches(const KernelExercise& exercise, const text::Variables& variables,
                    std::uint64_t most_bytes = kMostCaseBytes);

/// Calls `launch(step, variables)` for each launch in order; `variables` contains `step` and
/// `round`. After each launch, calls `swap(a, b)` for each pair of buffers to swap, as indices in
/// buffers_of().
template <typename Launch, typename Swap>
void for_each_launch(const KernelExercise& exercise, text::Variables variables,
                     const Launch& launch, const Swap& swap) {
  // A single launch has neither variable, so a case may use these names itself.
  const auto count = [&](const char* name, std::uint64_t value) {
    if (exercise.is_sequence()) variables[name] = static_cast<double>(value);
  };
  const auto rounds = evaluate_count(exercise.rounds, variables);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    count("round", round);
    for (const auto& step : exercise.steps) {
      count("step", 0);
      const auto times = evaluate_count(step.times, variables);
      for (std::uint64_t time = 0; time < times; ++time) {
        count("step", time);
        launch(step, variables);
        for (const auto& [a, b] : step.swaps) swap(a, b);
      }
    }
  }
}

}  // namespace warpgrade::grader::course
