// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/place.h"

namespace warpgrade::grader {

Place PlaceMaker::make(const Target& target, const Case& item) {
  Place out{&target, &item};
  out.timed = size(item.name, card_variables(item, draw_, target.fit));
  out.sized = size(item.name, target.variables_of(item, draw_));
  return out;
}

std::shared_ptr<const SizedCase> PlaceMaker::size(const std::string& name, Variables variables) {
  auto& out = sizes_[{name, variables}];
  if (!out) {
    out = std::make_shared<const SizedCase>(size_case(exercise_, name, std::move(variables)));
  }
  return out;
}

run::Sequence launches_of(const Place& place, const SizedCase& sized) {
  std::vector<std::string> names;
  for (const auto* kernel : place.kernels) names.push_back(kernel->name);
  return sized.launches.of(names);
}

std::set<std::uint64_t> timed_bytes(const KernelExercise& exercise, const Case& item) {
  std::set<std::uint64_t> out;
  const auto draws = item.timed_variables ? Case::kDraws : 1;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    out.insert(required_work(exercise, item.speed_variables(draw)).bytes);
  }
  return out;
}

}  // namespace warpgrade::grader
