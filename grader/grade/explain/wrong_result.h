// SPDX-License-Identifier: Apache-2.0
// Explains a wrong result: the map of wrong elements, the output of the thread that writes the
// first one, and the first step to take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/pictures.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Moves the output of the first wrong element's thread before the others' output.
//
// A student's printf prints for every thread, and one thread's lines explain a wrong element. The
// case runs once more to find the thread that writes that element. This never affects the grade,
// and nothing runs if nothing was printed.

/// `cases` are those in `report`.
void put_failing_thread_first(const Plan& plan, const std::vector<PlannedCase>& cases,
                              report::ExerciseReport& report);

// A map of an output's wrong elements, and a text if they form a simple pattern.

/// The map of the first output with a wrong element, of 64 x 64 cells at most; nullopt if every
/// element is right, or if only the sum of an output is defined.
std::optional<report::WrongMap> wrong_map(const std::vector<cases::SizedBuffer>& buffers,
                                          const cases::Expected& expected,
                                          const std::vector<run::Buffer>& got);

/// Describes the set elements among `rows` x `columns`: "rows 8 to 31", "columns 0 and 32 to 63",
/// "in each tile of 32 x 32: rows 8 to 31", "all elements".
std::string pattern_text(const std::vector<bool>& is_set, std::uint64_t rows,
                         std::uint64_t columns);

// The first step after a wrong result: from the likely cause of the first wrong element, its
// distance from the expected value, and the number of wrong elements.

std::string next_of_wrong_result(const report::ExerciseReport& report);

}  // namespace warpgrade::grader::grade
