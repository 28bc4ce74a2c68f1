// SPDX-License-Identifier: Apache-2.0
#include "grader/author/margins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/text/terminal.h"

namespace warpgrade::grader::author {
namespace {

constexpr double kNear = 0.03;

// A gate with a minimum passes larger values.
bool is_better(const report::GateReport& gate, double a, double b) {
  return gate.bounds.min ? a > b : a < b;
}

double bound(const report::GateBounds& bounds) {
  return bounds.min ? *bounds.min : bounds.max.value_or(0);
}

bool is_near(const report::GateBounds& bounds, double value) {
  return std::abs(value - bound(bounds)) < kNear * std::abs(bound(bounds));
}

}  // namespace

std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<report::ExerciseReport>& reports) {
  std::vector<Margin> out;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (expectations[i].kind != Expectation::Kind::kSolution) continue;
    for (const auto& gate : reports[i].gates) {
      Margin margin{reports[i].lab + "/" + reports[i].exercise, gate, gate.value(), {}, {}};
      for (std::size_t other = 0; other < reports.size(); ++other) {
        if (expectations[other].task.exercise != expectations[i].task.exercise) continue;
        for (const auto& same : reports[other].gates) {
          const auto value = same.value();
          if (same.gate.id != gate.gate.id || !same.decision || !value) continue;
          if (same.bounds.contain(*value)) continue;
          if (margin.best_outside && !is_better(gate, *value, *margin.best_outside)) continue;
          margin.best_outside = value;
          margin.best_outside_file = reports[other].file;
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
  const auto say = [&](std::string_view what, double value, const report::GateBounds& bounds) {
    if (!is_near(bounds, value)) return;
    out.push_back(fmt::format("{}: gate {}: {} reaches {}, within 3 % of the bound {}",
                              margin.exercise, gate.gate.id, what, text::number(value),
                              text::number(bound(bounds))));
  };
  if (margin.solution) say("the solution", *margin.solution, gate.bounds);
  if (margin.best_outside) {
    say(margin.best_outside_file, *margin.best_outside,
        gate.bounds.for_model(gate.gate.model_margin));
  }
  return out;
}

std::string too_wide(const Margin& margin) {
  const auto& gate = margin.gate;
  if (gate.gate.model_margin == 0 || gate.gate.max_points == 0) return {};
  const auto allowed = gate.bounds.for_model(gate.gate.model_margin);
  std::string what;
  double value = 0;
  if (gate.skeleton_passes()) {
    what = "the skeleton";
    value = *gate.gate.skeleton;
  } else if (margin.best_outside && allowed.contain(*margin.best_outside)) {
    what = margin.best_outside_file;
    value = *margin.best_outside;
  } else {
    return {};
  }
  return fmt::format("{}: gate {}: the time model's margin is {:.0f} % on {}, so {} passes with {}",
                     margin.exercise, gate.gate.id, 100 * gate.gate.model_margin, gate.gate.device,
                     what, text::number(value));
}

}  // namespace warpgrade::grader::author
