// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/report/render_lines.h"

namespace warpgrade::grader {
namespace {

// A value that would be shown like the bound it misses gets the digits that tell them apart.
std::string yours(const GateReport& gate) {
  const auto value = gate.value();
  if (!value) return gate.decision ? "none" : "-";
  const auto* interval = gate.interval();
  if (interval != nullptr && std::isfinite(interval->high)) {
    return fmt::format("{:.3f} +- {:.3f}", *value, (interval->high - interval->low) / 2);
  }
  auto out = number(*value);
  for (const auto& limit : {gate.bounds.min, gate.bounds.max}) {
    if (limit && *limit != *value && number(*limit) == out) out = fmt::format("{:.6g}", *value);
  }
  return out;
}

// The last column of the table.
std::string mark(const GateReport& gate) {
  if (!gate.decision) return "not measured";
  if (gate.gate.is_waived) return "waived";
  if (gate.has_failed()) return "FAIL";
  if (!gate.has_passed()) return "NOT DECIDED";
  if (!gate.lacks.empty()) return "pass, of no use without " + gate.lacks;
  return gate.is_spared() ? "pass, see below" : "pass";
}

Colour colour_of(const GateReport& gate) {
  if (!gate.decision) return Colour::kDim;
  if (gate.decision == GateOutcome::kUndecided) return Colour::kYellow;
  return gate.has_passed() && gate.lacks.empty() ? Colour::kGreen : Colour::kRed;
}

std::string error_of_model(const GateDefinition& gate) {
  return fmt::format("{:.0f} %, the time model's published error on {}", 100 * gate.model_error,
                     gate.device);
}

std::string spared_gates(const ExerciseReport& item) {
  std::string out;
  for (const auto& gate : item.gates) {
    if (!gate.is_spared()) continue;
    out += wrapped(fmt::format("{}: {} misses {} by less than {}, so it passes.", gate.gate.id,
                               yours(gate), render_bound(gate.bounds), error_of_model(gate.gate)),
                   2);
  }
  return out;
}

// At which sizes speeds are graded, where those are others than the counters'.
std::string sizes(const ExerciseReport& item) {
  std::vector<std::string> all;
  for (const auto& gate : item.gates) {
    if (!gate.worst || gate.worst->size.empty()) continue;
    if (std::ranges::find(all, gate.worst->size) == all.end()) all.push_back(gate.worst->size);
  }
  if (all.empty()) return {};
  return wrapped(fmt::format("The speed is that at {}.", fmt::join(all, " and at ")), 2);
}

}  // namespace

std::string render_gates(const ExerciseReport& item, const Style& style) {
  const bool any_measured = std::any_of(item.gates.begin(), item.gates.end(),
                                        [](const GateReport& gate) { return gate.decision; });
  if (!any_measured) return {};
  Columns table({true, true, false, false, false, true, false, true});
  table.add({"gate", "device", "skeleton", "yours", "ideal", "gate", "points"});
  for (std::size_t column = 0; column < 7; ++column) table.colour(0, column, Colour::kDim);
  for (const auto& gate : item.gates) {
    const auto row = table.size();
    const auto& shown = gate.gate;
    const bool on_gpu = shown.backend == run::Backend::kGpu;
    table.add({shown.id, on_gpu ? shown.device + " (GPU)" : shown.device,
               shown.skeleton ? number(*shown.skeleton) : "-", yours(gate), number(shown.ideal),
               render_bound(gate.bounds),
               shown.max_points == 0 ? "-" : fmt::format("{}/{}", gate.points, shown.max_points),
               mark(gate)});
    table.colour(row, 3, colour_of(gate));
    table.colour(row, 7, colour_of(gate));
  }
  return table.text(2, style) + sizes(item) + spared_gates(item);
}

std::string render_failed_gates(const ExerciseReport& item, const Style& style) {
  std::string out;
  for (const auto& gate : item.gates) {
    // If the mechanism fails, slowness is a consequence: the table above shows it.
    const bool explain = gate.gate.is_performance() == (item.reason == Reason::kPerformance);
    if (!gate.has_failed() || !explain) continue;
    out += wrapped(fmt::format("{}: {}{}", gate.gate.id, gate.gate.meaning,
                               gate.value() ? "" : " The kernel makes no such access at all."),
                   2);
    if (gate.gate.model_error > 0) {
      out += wrapped(fmt::format("It misses its bound by more than {}.", error_of_model(gate.gate)),
                     4);
    }
    for (const auto& table : item.lines) {
      if (table.gate != gate.gate.id) continue;
      out += render_lines(table.lines, item.file, item.source, 4, style);
      if (!table.bound_by.empty()) {
        out += wrapped(fmt::format("bound by {} ({})", table.bound_by, render_shares(table.shares)),
                       4);
      }
    }
  }
  return out;
}

std::string render_bound(const GateBounds& bounds) {
  if (bounds.min && bounds.max && *bounds.min == *bounds.max)
    return fmt::format("= {}", number(*bounds.min));
  if (bounds.min && bounds.max)
    return fmt::format("{} to {}", number(*bounds.min), number(*bounds.max));
  return bounds.min ? fmt::format(">= {}", number(*bounds.min))
                    : fmt::format("<= {}", number(*bounds.max));
}

}  // namespace warpgrade::grader
