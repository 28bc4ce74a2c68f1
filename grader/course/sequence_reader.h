// SPDX-License-Identifier: Apache-2.0
// Reads which launches an exercise is made of: kernel, signature, [exercise.launch] or a list of
// them, and [exercise.reference].
//
// One launch: [exercise.launch] with grid*, block*, shared, cooperative. A sequence:
// [[exercise.launch]], each
//   kernel, signature        where they are not those of the exercise
//   grid*, block*, shared,   as of one launch
//   cooperative
//   arguments                names of the exercise's parameters, in the kernel's order; all of
//                            them where it is left out
//   times                    how often, an expression; 1 where it is left out. In grid, block,
//                            shared and the values of parameters `step` then counts from 0, and
//                            `round` the exercise's `rounds`
//   swap                     ["a", "b"], or more pairs in a row, "STRUCT.FIELD" among them: after
//                            each time their buffers change places. The names go with the places: a
//                            result is what its name holds behind the last launch
//
// What is compared is compared with what one launch of the reference makes; it takes the parameters
// where `step` and `round` are 0. All launches are checked, counted and timed as one
// (run/sequence.h).
#pragma once

#include <cstdint>

#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"

namespace warpgrade::grader {

/// Launches of one case, at most.
constexpr std::uint64_t kMostLaunches = 1024;

/// Whether kernels come with their signatures.
enum class Signatures : std::uint8_t { kGiven, kNone };

/// Reads the list [[launch]] and `rounds` into `out`, whose parameters are known; what a launch
/// does not say is that of `common`.
void read_steps(Table& table, const Step& common, Signatures signatures, Exercise& out);

/// Reads the launches of `out`, whose parameters are known, from the exercise's table.
void read_launches(Table& table, Exercise& out);

/// Throws base::UsageError where a key has no meaning for several launches: of a case, or of a
/// gate.
void check_sequence(const Exercise& exercise, Table& table);

/// Throws base::UsageError where some blocks of a case are executed and nothing says how their
/// results are compared.
void check_sampling(const Exercise& exercise, Table& table);

/// Evaluates all that the launches of a case need, so that a mistake is found on reading; throws
/// base::UsageError with its place.
void check_launches(const Exercise& exercise, const Variables& variables,
                    std::uint64_t most_bytes = kMostCaseBytes);

/// Calls `launch(step, variables)` for each launch in its order, `variables` with `step` and
/// `round`, and `swap(a, b)` for buffers, places among buffers_of(), that change places behind it.
template <typename Launch, typename Swap>
void for_each_launch(const Exercise& exercise, Variables variables, const Launch& launch,
                     const Swap& swap) {
  // One launch has no such variables: a case may call its own so.
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

}  // namespace warpgrade::grader
