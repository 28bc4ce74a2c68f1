// SPDX-License-Identifier: Apache-2.0
// A case of an exercise at one size: every expression of the manifest as a number.
//
// A plan makes it (grade/plan/plan.h). Execution, timing, verdicts and explanations read it, and
// see no expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/sequence.h"
#include "grader/cases/case_buffers.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::cases {

/// The launches of a case in their order.
struct SizedLaunches {
  run::Sequence sequence;          ///< Its kernels have no names yet.
  std::vector<std::size_t> steps;  ///< By launch: the exercise's step that it belongs to.

  /// The same launches, of `kernels`: one per step.
  run::Sequence of(const std::vector<std::string>& kernels) const;
};

SizedLaunches size_launches(const course::KernelExercise& exercise,
                            const text::Variables& variables);

/// The bytes and floating-point operations that any solution needs: the manifest's expressions, or
/// by default the inputs and outputs once, and no operations.
struct RequiredWork {
  std::uint64_t bytes = 0;  ///< Read and written together.
  double operations = 0;
};

RequiredWork required_work(const course::KernelExercise& exercise,
                           const text::Variables& variables);

struct SizedCase {
  std::string exercise;  ///< Its id.
  std::string name;
  text::Variables variables;  ///< For reports.
  std::vector<SizedBuffer> buffers;
  SizedLaunches launches;
  run::Launch reference;  ///< Its kernel is called as in the manifest: "sum_reference<4>".
  /// Consecutive elements of the output that one block of the reference makes.
  std::optional<std::uint64_t> elements_per_block;
  RequiredWork work;

  /// nullptr if no buffer has that name.
  const SizedBuffer* buffer_called(std::string_view name) const;
  /// The seed of the buffers' contents.
  std::uint64_t contents_seed(std::uint64_t seed) const {
    return cases::contents_seed(exercise, name, seed);
  }
};

/// The case called `name` of `exercise`, which must have a kernel.
SizedCase size_case(const course::Exercise& exercise, const std::string& name,
                    text::Variables variables);

}  // namespace warpgrade::grader::cases
