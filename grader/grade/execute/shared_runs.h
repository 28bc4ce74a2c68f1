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

namespace warpgrade::grader {

class SharedRuns {
 public:
  SharedRuns(const GatePlan& plan, const std::vector<Place>& places);

  /// Whether the place executes its case: itself, or others as well.
  bool is_first(std::size_t index) const { return first_[index] == index; }
  /// The places that this first one executes for, itself at the front.
  std::vector<const Place*> served_by(std::size_t index) const;
  /// How many places execute a case.
  std::size_t executions_of(const Case& item) const;

  /// Calls `execute` for a first place and keeps the result for the others; returns the kept result
  /// for one of these. Call it once for each place. Rethrows exceptions of `execute`.
  template <typename Execute>
  CaseOutcome take(std::size_t index, const Execute& execute) {
    if (!is_first(index)) return kept_.at(index).get_future().get();
    const auto served = indices_served_by(index);
    try {
      auto all = execute(served_by(index));
      for (std::size_t i = 1; i < served.size(); ++i) {
        kept_.at(served[i]).set_value(std::move(all[i]));
      }
      return std::move(all.front());
    } catch (...) {
      for (std::size_t i = 1; i < served.size(); ++i) {
        kept_.at(served[i]).set_exception(std::current_exception());
      }
      throw;
    }
  }

 private:
  std::vector<std::size_t> indices_served_by(std::size_t index) const;

  const std::vector<Place>& places_;
  std::vector<std::size_t> first_;  // One a place: the place that executes for it.
  std::map<std::size_t, std::promise<CaseOutcome>> kept_;  // For places that are not first.
};

}  // namespace warpgrade::grader
