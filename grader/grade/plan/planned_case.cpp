// SPDX-License-Identifier: Apache-2.0
// A case of an exercise on a target: its sizes, its launches, its limits on work, and its outcome.
// In: the cases of an exercise, targets, and a number that follows from the submission. Out: the
// planned cases.
#include "grader/grade/plan/planned_case.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/place.h"
#include "common/run/launch.h"
#include "grader/cases/sized_case.h"
#include "grader/course/exercise.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {

CaseOutcome ended_by(CaseEnding ending) {
  CaseOutcome out;
  out.ending = std::move(ending);
  return out;
}

bool is_right(const CaseOutcome& outcome) {
  return std::holds_alternative<RightResult>(outcome.ending);
}

bool ends_grading(const CaseOutcome& outcome) {
  return !is_right(outcome) && !std::holds_alternative<WrongResult>(outcome.ending) &&
         !std::holds_alternative<NotChecked>(outcome.ending);
}

std::vector<PlannedCase> plan_cases(const course::Exercise& exercise,
                                    const std::vector<Target>& targets, std::uint64_t salt) {
  const auto draw = draw_of(salt);
  std::map<std::pair<std::string, text::Variables>, std::shared_ptr<const cases::SizedCase>> sizes;
  const auto size = [&](const std::string& name, text::Variables variables) {
    auto& out = sizes[{name, variables}];
    if (!out) {
      out = std::make_shared<const cases::SizedCase>(
          cases::size_case(exercise, name, std::move(variables)));
    }
    return out;
  };
  std::vector<PlannedCase> out;
  for (const auto& target : targets) {
    for (const auto& item : exercise.kernel()->cases) {
      if (item.sampled && target.is_gpu()) continue;
      auto& planned = out.emplace_back(PlannedCase{&target, &item});
      planned.timed = size(item.name, card_variables(item, draw, target.fit));
      planned.sized = size(item.name, target.variables_of(item, draw));
      planned.variant = item.measured ? salt : 0;
    }
  }
  return out;
}

run::Sequence launches_of(const PlannedCase& planned, const cases::SizedCase& sized) {
  std::vector<std::string> names;
  for (const auto* kernel : planned.kernels) names.push_back(kernel->name);
  return sized.launches.of(names);
}

std::set<std::uint64_t> timed_bytes(const course::KernelExercise& exercise,
                                    const course::Case& item) {
  std::set<std::uint64_t> out;
  const auto draws = item.timed_variables ? course::Case::kDraws : 1;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    out.insert(cases::required_work(exercise, item.speed_variables(draw)).bytes);
  }
  return out;
}

std::uint64_t threads_of(const PlannedCase& planned) {
  std::uint64_t threads = 0;
  for (const auto& launch : planned.sized->launches.sequence.launches) {
    threads += base::volume(launch.grid) * base::volume(launch.block);
  }
  return threads;
}

namespace {

constexpr std::uint64_t kMostCaseWork = kSmallWork / 2;

double traffic_of(const PlannedCase& planned) {
  return static_cast<double>(least_traffic(planned.sized->buffers));
}

// Less than a second of one core, and so many times the instructions of the whole reference.
constexpr std::uint64_t kLeastBlockWork = std::uint64_t{1} << 25;
constexpr std::uint64_t kTimesReference = 1024;

}  // namespace

std::uint64_t block_limit(std::uint64_t work, std::uint64_t reference_instructions) {
  const auto share = work / kBlocksInACase;
  if (reference_instructions == 0) return share;
  return std::min(share, kLeastBlockWork + kTimesReference * reference_instructions);
}

std::uint64_t small_limit(const PlannedCase& planned, std::uint64_t reference_instructions) {
  if (planned.item->sampled) return kLeastCaseWork;
  // A warp of a plain kernel executes about 32 instructions.
  const auto instructions = std::max(threads_of(planned), reference_instructions);
  return std::min(kMostCaseWork, kLeastCaseWork + kBlocksInACase * kTimesReference * instructions);
}

std::vector<std::uint64_t> work_limits(std::span<const PlannedCase> cases) {
  double all_bytes = 0;
  for (const auto& planned : cases) all_bytes += traffic_of(planned);
  std::vector<std::uint64_t> out;
  for (const auto& planned : cases) {
    out.push_back(planned.item->measured
                      ? static_cast<std::uint64_t>(traffic_of(planned) / all_bytes *
                                                   static_cast<double>(kMeasuredWork))
                      : small_limit(planned, 0));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
