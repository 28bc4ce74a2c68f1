// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/place.h"

namespace warpgrade::grader::grade {

Place PlaceMaker::make(const Target& target, const course::Case& item) {
  Place out{&target, &item};
  out.timed = size(item.name, card_variables(item, draw_, target.fit));
  out.sized = size(item.name, target.variables_of(item, draw_));
  return out;
}

std::shared_ptr<const cases::SizedCase> PlaceMaker::size(const std::string& name,
                                                         text::Variables variables) {
  auto& out = sizes_[{name, variables}];
  if (!out) {
    out = std::make_shared<const cases::SizedCase>(
        cases::size_case(exercise_, name, std::move(variables)));
  }
  return out;
}

run::Sequence launches_of(const Place& place, const cases::SizedCase& sized) {
  std::vector<std::string> names;
  for (const auto* kernel : place.kernels) names.push_back(kernel->name);
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

}  // namespace warpgrade::grader::grade
