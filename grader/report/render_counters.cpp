// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_counters.h"

#include <fmt/format.h>

#include <set>

#include "grader/text/terminal.h"

namespace warpgrade::grader::report {
namespace {

// "+1.3 %" of the card's value; "-" if one of the two is missing.
std::string difference_text(const memory::Metrics& gpu, const memory::Metrics& simulated,
                            const std::string& name) {
  const auto real = gpu.find(name);
  const auto model = simulated.find(name);
  if (real == gpu.end() || model == simulated.end()) return "-";
  const double by = model->second - real->second;
  if (real->second == 0) return by == 0 ? "+0.0 %" : fmt::format("+{}", text::number(by));
  return fmt::format("{:+.1f} %", by / real->second * 100);
}

std::string cell(const memory::Metrics& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return found == metrics.end() ? "-" : text::number(found->second);
}

}  // namespace

std::string render_counters(const memory::Metrics& gpu, const memory::Metrics& simulated,
                            std::size_t indent) {
  std::set<std::string> names;
  for (const auto& [name, value] : gpu) names.insert(name);
  for (const auto& [name, value] : simulated) names.insert(name);
  text::Columns table({true, false});
  table.add({"metric", "card", "simulated", "difference"});
  for (const auto& name : names) {
    table.add(
        {name, cell(gpu, name), cell(simulated, name), difference_text(gpu, simulated, name)});
  }
  return table.text(indent, text::Style());
}

}  // namespace warpgrade::grader::report
