// SPDX-License-Identifier: Apache-2.0
// Finds the mistake behind a wrong result by repairing it.
//
// In: a submission whose small cases are wrong. Out: the kind and the line of a small change that
// makes them right. The submission is compiled without optimization, so that each operator of the
// source is one instruction. Changes of single instructions (program_edits.h) are tried on the
// smallest wrong case, and what repairs it on the others. Limits are on work and on the number of
// changes, so that the result is the same on every machine. The change itself is the solution, so
// no report shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/course/cause_id.h"

namespace warpgrade::grader::grade {

struct Plan;
struct PlannedCase;
struct Edit;

/// A mistake that a small change corrects.
struct Repair {
  course::CauseId id{};
  std::uint32_t line = 0;
  bool is_exact = false;  ///< By one: a comparison, or a number that is one too large or small.
};

/// The result of the search for repairs.
struct Trials {
  std::optional<Repair> repair;   ///< The best one.
  bool no_barrier_helps = false;  ///< No barrier orders the accesses of the race.
  /// The line before which a barrier orders the accesses of the race.
  std::optional<std::uint32_t> barrier_before = {};
};

/// The mistake that an edit corrects.
course::CauseId cause_of(const Edit& edit);

/// Tries to repair the wrong cases.
Trials find_repair(const Plan& plan, const std::vector<PlannedCase>& cases);

}  // namespace warpgrade::grader::grade
