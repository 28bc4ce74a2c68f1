// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/shared_runs.h"

#include <algorithm>
#include <utility>

#include "common/sim/alike.h"

namespace warpgrade::grader::grade {
namespace {

// Whether the kernels of both places have the same names. Each place points to kernels of its own
// program.
bool have_the_same_kernels(const Place& a, const Place& b) {
  return std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                    [](const auto* x, const auto* y) { return x->name == y->name; });
}

// Whether lanes that wait for other lanes of their warp, if any, wait alike on both devices.
bool wait_alike(const Place& a, const Place& b) {
  return !sim::may_wait_in_warp(*a.program) ||
         a.target->profile().has_independent_lanes() == b.target->profile().has_independent_lanes();
}

}  // namespace

SharedRuns::SharedRuns(const GatePlan& gates, const std::vector<Place>& places) : places_(places) {
  // Compared once for each pair of programs: PTX may have megabytes.
  std::map<std::pair<const compile::Program*, const compile::Program*>, bool> alike;
  const auto are_alike = [&](const compile::Program* a, const compile::Program* b) {
    const auto [found, is_new] = alike.try_emplace({a, b}, a == b);
    if (is_new && a != b) found->second = sim::are_alike(*a, *b);
    return found->second;
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto is_served_by = [&](std::size_t first) {
      const auto& a = places[first];
      const auto& b = places[i];
      return first_[first] == first && a.item == b.item && can_be_shared(gates, a) &&
             can_be_shared(gates, b) && are_alike(a.program, b.program) &&
             have_the_same_kernels(a, b) && wait_alike(a, b);
    };
    std::size_t first = 0;
    while (first < i && !is_served_by(first)) ++first;
    first_.push_back(first);
    if (first != i) kept_[i];
  }
}

std::vector<std::size_t> SharedRuns::served_by(std::size_t index) const {
  std::vector<std::size_t> out;
  for (std::size_t i = index + 1; i < first_.size(); ++i) {
    if (first_[i] == index) out.push_back(i);
  }
  return out;
}

std::size_t SharedRuns::executions_of(const course::Case& item) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (is_first(i) && places_[i].item == &item) ++count;
  }
  return count;
}

}  // namespace warpgrade::grader::grade
