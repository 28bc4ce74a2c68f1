// SPDX-License-Identifier: Apache-2.0
// Decides which cases of a group are executed once for several devices, and passes on their
// results.
//
// The first place of a case executes it for all later ones that can share it. These wait for it.
// Since places are begun in their order, the one that they wait for has been begun.
#pragma once

#include <cstddef>
#include <future>
#include <map>
#include <vector>

#include "grader/grade/execute/simulated_case.h"

namespace warpgrade::grader::grade {

class SharedRuns {
 public:
  SharedRuns(const GatePlan& gates, const std::vector<Place>& places);

  /// Whether the place executes its case, for itself or for others as well.
  bool is_first(std::size_t index) const { return first_[index] == index; }
  /// The number of places that execute a case.
  std::size_t executions_of(const course::Case& item) const;

  /// Calls `execute` for a first place, with the other places that it executes for, and keeps their
  /// outcomes; returns the kept outcome for one of these. Call it once for each place. Rethrows
  /// exceptions of `execute`.
  template <typename Execute>
  CaseOutcome take(std::size_t index, const Execute& execute) {
    if (!is_first(index)) return kept_.at(index).get_future().get();
    const auto others = served_by(index);
    try {
      std::vector<const Place*> places;
      for (const auto i : others) places.push_back(&places_[i]);
      auto all = execute(places);
      for (std::size_t i = 0; i < others.size(); ++i) {
        kept_.at(others[i]).set_value(std::move(all[1 + i]));
      }
      return std::move(all.front());
    } catch (...) {
      for (const auto i : others) kept_.at(i).set_exception(std::current_exception());
      throw;
    }
  }

 private:
  // The other places that the first one at `index` executes for.
  std::vector<std::size_t> served_by(std::size_t index) const;

  const std::vector<Place>& places_;
  std::vector<std::size_t> first_;  // One per place: the place that executes for it.
  std::map<std::size_t, std::promise<CaseOutcome>> kept_;  // For places that are not first.
};

}  // namespace warpgrade::grader::grade
