// SPDX-License-Identifier: Apache-2.0
#include "grader/author/margins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/text/terminal.h"

namespace warpgrade::grader {
namespace {

constexpr double kNear = 0.03;

// A gate with a minimum lets through what is larger.
bool is_better(const GateReport& gate, double a, double b) {
  return gate.bounds.min ? a > b : a < b;
}

double bound(const GateReport& gate) {
  return gate.bounds.min ? *gate.bounds.min : gate.bounds.max.value_or(0);
}

bool is_near(const GateReport& gate, double value) {
  return std::abs(value - bound(gate)) < kNear * std::abs(bound(gate));
}

}  // namespace

std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<ExerciseReport>& reports) {
  std::vector<Margin> out;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (expectations[i].kind != Expectation::Kind::kSolution) continue;
    for (const auto& gate : reports[i].gates) {
      Margin margin{reports[i].lab + "/" + reports[i].exercise, gate, gate.value(), {}, {}};
      for (std::size_t other = 0; other < reports.size(); ++other) {
        if (expectations[other].task.exercise != expectations[i].task.exercise) continue;
        for (const auto& same : reports[other].gates) {
          const auto value = same.value();
          const bool stopped =
              same.gate.id == gate.gate.id && same.decision && !same.has_passed() && value;
          if (!stopped) continue;
          if (margin.best_stopped && !is_better(gate, *value, *margin.best_stopped)) continue;
          margin.best_stopped = value;
          margin.best_stopped_file = reports[other].file;
        }
      }
      out.push_back(std::move(margin));
    }
  }
  return out;
}

std::vector<std::string> too_near(const Margin& margin) {
  std::vector<std::string> out;
  const auto& gate = margin.gate;
  if (!gate.gate.is_performance()) return out;
  const auto say = [&](std::string_view what, double value) {
    out.push_back(fmt::format("{}: gate {}: {} reaches {}, within 3 % of the bound {}",
                              margin.exercise, gate.gate.id, what, number(value),
                              number(bound(gate))));
  };
  if (margin.solution && is_near(gate, *margin.solution)) say("the solution", *margin.solution);
  if (margin.best_stopped && is_near(gate, *margin.best_stopped)) {
    say(margin.best_stopped_file, *margin.best_stopped);
  }
  return out;
}

}  // namespace warpgrade::grader
