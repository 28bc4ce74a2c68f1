// SPDX-License-Identifier: Apache-2.0
// A case on a target, with its kernels and sizes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/compile/program.h"
#include "common/run/sequence.h"
#include "grader/cases/sized_case.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {

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

}  // namespace warpgrade::grader::grade
