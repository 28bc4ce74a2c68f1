// SPDX-License-Identifier: Apache-2.0
// The small lab with its grade planned and its submission compiled, for tests of single stages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/grade/execute/execution.h"
#include "grader/grade/plan/plan.h"
#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade {

class Stage : public Grade {
 protected:
  /// Each launch of the submission does what `body` does. `gpu` is the card; optional.
  void begin(const FakeBody& body, measure::GpuBench* gpu = nullptr) {
    compilations_ = std::make_unique<cases::Compilations>(compile_, 2);
    reference_ =
        std::make_unique<cases::Reference>(cases::in_turn_on(runner_), "sm_90", *compilations_, 1);
    h200_ = std::make_unique<FakeSimBench>("h200", "sm_90", body);
    k40_ = std::make_unique<FakeSimBench>("k40", "sm_75", body);
    h200_->in_other_orders = k40_->in_other_orders = in_other_orders_;
    services_.compilations = compilations_.get();
    services_.simulator.reference = reference_.get();
    services_.simulator.bench = [this](const std::string& device) -> measure::SimBench& {
      return device == "h200" ? *h200_ : *k40_;
    };
    services_.seed = 7;
    if (gpu != nullptr) {
      auto& on_card = services_.gpu.emplace();
      on_card.bench = gpu;
      on_card.reference = reference_.get();
    }
    task_ = {&lab_, &lab_.exercises.front(),
             cases::read_submission(folder_ / "twice.cu", "twice.cu")};
    plan_.emplace(plan_grade(services_, task_, ""));
    compiled_ = compile_submission(*plan_);
  }

  /// Throws if it does not exist.
  const PlannedCase& planned(const std::string& device, const std::string& case_name) const {
    for (const auto& one : compiled_.cases) {
      if (one.target->device == device && one.item->name == case_name) return one;
    }
    throw std::logic_error("no case " + case_name + " on " + device);
  }

  std::unique_ptr<cases::Compilations> compilations_;
  std::unique_ptr<cases::Reference> reference_;
  GradingServices services_;
  GradingTask task_;
  std::optional<Plan> plan_;
  Execution compiled_;
};

/// Stage with a K40 that runs its own cases.
class StageOnCard : public Stage {
 protected:
  void begin_on_card(const FakeBody& body) {
    card_.emplace("k40", "sm_75", body);
    begin(body, &*card_);
  }

  std::optional<FakeGpuBench> card_;
};

template <typename Ending>
bool ends_as(const CaseOutcome& outcome) {
  return std::holds_alternative<Ending>(outcome.ending);
}

/// Makes one element of every launch of `size` elements wrong.
inline FakeBody wrong_at(std::size_t size) {
  return [size](std::vector<run::Buffer>& buffers, measure::Measurement&) {
    twice(buffers);
    auto values = floats(buffers[0]);
    if (values.size() != size) return;
    values.back() = 5000;
    put(buffers[0], values);
  };
}

/// Adds a race to every launch of `size` elements.
inline FakeBody race_at(std::size_t size) {
  return [size](std::vector<run::Buffer>& buffers, measure::Measurement& measured) {
    twice(buffers);
    if (floats(buffers[0]).size() != size) return;
    measured.result.diagnostics.emplace_back().kind = base::DiagnosticKind::kRace;
  };
}

}  // namespace warpgrade::grader::grade
