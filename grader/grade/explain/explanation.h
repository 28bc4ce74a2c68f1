// SPDX-License-Identifier: Apache-2.0
// The last stage of a grade: its report, with remarks, pictures and advice. None of them affects
// the points.
// In: a plan, the outcomes of its cases, and its judged report. Out: the report, complete.
// The report ends with advice: what the student should do next. Remarks name parts of the source
// that are ignored, which its author may not expect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/place.h"
#include "common/device/profile.h"
#include "common/memory/access_trace.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/student_terms.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/pictures.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Remarks on parts of a submission's text that are ignored, which its author may not expect.

/// Sentences about thrust, whose calls run on the host, and about a file without a kernel of its
/// own, whose kernel `name` comes from an include.
std::vector<std::string> source_remarks(std::string_view source, std::string_view name);

/// Adds the advice that a judged report ends with: what the student should do next, and a hint,
/// unless the lab's hints, which are about speed, would not help.
void add_advice(const course::Exercise& exercise, report::ExerciseReport& report);

/// Adds remarks, pictures and advice to the judged `report`.
void explain(const Plan& plan, const std::vector<PlannedCase>& cases,
             report::ExerciseReport& report);

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

/// Relative errors of numbers of 8 to 11 bits stay below this.
inline constexpr double kFewBits = 4e-3;

// The cost of one traced request by the memory rules of a device.

/// Counts as the counters of `profile` would; atomics have the forms of the traced launch.
report::RequestCost cost_of(const device::Profile& profile, const memory::TracedLine& line,
                            const memory::TracedRequest& request);

// Traced requests of a source line with their costs, as a picture shows them.

report::PicturedDevice pictured_device(const device::Profile& profile);

/// The requests of `traced` with a cost per device. Shared arrays have the shape of their
/// declaration in `arrays`; other memory has none.
report::PicturedLine pictured_line(memory::TracedLine traced, const base::Dim3& grid,
                                   const std::vector<report::PicturedDevice>& devices,
                                   const std::vector<cases::DeclaredArray>& arrays);

// The memory partitions that the first wave of blocks touches first, on a device that derives the
// partition from the address.

/// The first right measured case on a simulated device with plain partitions; nullptr if none
/// exists.
const PlannedCase* partitioned_case(const std::vector<PlannedCase>& cases);

/// A trace of the first request of each of the blocks that the device begins together.
memory::TraceLimits blocks_together(const PlannedCase& planned, const run::Sequence& sequence);

/// The map of `traced`, which is such a trace of `blocks` blocks; nullopt if no line touches a
/// matrix of the exercise.
std::optional<report::PartitionMap> partition_map(const PlannedCase& planned,
                                                  const std::vector<memory::TracedLine>& traced,
                                                  std::uint64_t blocks);

/// Pictures of the submission whose cases are `cases`. Returns nullopt if no case was
/// simulated, or if none can be simulated again.
std::optional<report::Pictures> draw_pictures(const Plan& plan,
                                              const std::vector<PlannedCase>& cases);

}  // namespace warpgrade::grader::grade
