// SPDX-License-Identifier: Apache-2.0
#include "grader/html/render_profile_html.h"

#include <fmt/format.h>

#include <set>

#include "common/base/counted.h"
#include "grader/html/html_text.h"
#include "grader/html/page.h"
#include "grader/html/picture_data.h"
#include "grader/html/picture_view.h"
#include "grader/html/source_view.h"
#include "grader/html/verdict_view.h"
#include "grader/report/render_lines.h"
#include "grader/report/skew_text.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::html {
namespace {

// The parts of the report that an exercise's report has too.
report::ExerciseReport as_exercise(const report::ProfileReport& report) {
  report::ExerciseReport out;
  out.file = report.file;
  out.source = report.source;
  out.diagnostics = report.diagnostics;
  out.race_warnings = report.warnings;
  out.left_out = report.left_out;
  out.printed = report.measurement.result.printed;
  out.pictures = report.pictures;
  if (!report.note.empty()) out.warnings.push_back(report.note);
  return out;
}

std::string row(const std::string& head, const std::string& text) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", head, escaped(text));
}

std::string times(const report::ProfileReport& report) {
  const auto& measured = report.measurement;
  const bool is_on_gpu = report.backend == run::Backend::kGpu;
  const auto rate = static_cast<double>(measured.bytes) / measured.seconds;
  auto out = row(is_on_gpu ? "time, measured" : "time, simulated",
                 is_on_gpu ? text::seconds(measured.seconds)
                           : fmt::format("{}, bound by {}", text::seconds(measured.seconds),
                                         report::bound_in_words(measured.bound_by)));
  // A single launch has a picture, which contains the cause.
  if (!report.launches.empty() && !report::skew_text(measured.skew).empty()) {
    out += row("cause", report::skew_text(measured.skew));
  }
  if (report.simulated_seconds > 0) {
    out += row("time, simulated", text::seconds(report.simulated_seconds));
  }
  return out + row("throughput", fmt::format("{} for {}", text::bytes_per_second(rate),
                                             base::counted(measured.bytes, "byte")));
}

std::string facts(const report::ProfileReport& report) {
  const auto& resources = report.resources;
  const auto& occupancy = report.measurement.occupancy;
  auto out = report.measurement.seconds > 0 ? times(report) : std::string();
  out += row("grid", base::extent_text(report.launch.grid));
  out += row("block", base::extent_text(report.launch.block));
  out += row("registers per thread", std::to_string(resources.registers_per_thread));
  out += row(
      "shared memory per block",
      fmt::format("{} + {} bytes (static + dynamic)", base::grouped(resources.static_shared_bytes),
                  base::grouped(report.launch.dynamic_shared_bytes)));
  out += row("occupancy", fmt::format("{}, {} per SM, limited by {}",
                                      base::counted(occupancy.blocks_per_sm, "block"),
                                      base::counted(occupancy.warps_per_sm, "warp"),
                                      timing::name(occupancy.limited_by)));
  return "<table>" + out + "</table>\n";
}

std::string cell(const memory::Metrics& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return fmt::format("<td class=\"number\">{}</td>",
                     found == metrics.end() ? "-" : text::number(found->second));
}

// The metrics of the card and of the simulator, side by side if both are known.
std::string metrics_table(const report::ProfileReport& report) {
  const bool is_on_gpu = report.backend == run::Backend::kGpu;
  const auto& own = report.measurement.metrics;
  std::set<std::string> names;
  for (const auto* all : {&own, &report.simulated.metrics}) {
    for (const auto& [name, value] : *all) names.insert(name);
  }
  if (names.empty()) return {};
  std::string rows;
  for (const auto& name : names) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>{}{}</tr>\n", escaped(name), cell(own, name),
                        is_on_gpu ? cell(report.simulated.metrics, name) : std::string());
  }
  return fmt::format(
      "<details{}><summary>Metrics</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Metrics\"><table><tr><th scope=\"col\">metric</th><th scope=\"col\" "
      "class=\"number\">{}</th>{}</tr>\n{}</table></div></details>\n",
      is_on_gpu ? " open" : "", is_on_gpu ? "card" : "simulated",
      is_on_gpu ? "<th scope=\"col\" class=\"number\">simulated</th>" : "", rows);
}

std::string remarks(const report::ProfileReport& report) {
  std::string out;
  for (const auto& advice : report.time_advice) out += paragraph(advice);
  if (!report.counters_missing.empty()) {
    out += paragraph("No counters of the card: " + report.counters_missing, "quiet");
  }
  if (!report.simulated.reason.empty()) {
    out += paragraph("Not simulated: " + report.simulated.reason, "quiet");
  }
  return out;
}

}  // namespace

std::string render(const report::ProfileReport& report) {
  const auto item = as_exercise(report);
  const bool is_on_gpu = report.backend == run::Backend::kGpu;
  auto out = fmt::format("<h1>{} on {}</h1>\n<section class=\"exercise\">\n",
                         escaped(report.kernel), escaped(report.device));
  out += findings_view(item);
  if (!report.launch.kernel.empty()) out += facts(report) + remarks(report);
  if (const auto source = source_view(item); !source.empty()) out += "<h3>Source</h3>\n" + source;
  if (item.pictures) {
    if (is_on_gpu) {
      out += paragraph(
          "The requests of each line are simulated, because a GPU does not report addresses and "
          "banks.",
          "quiet");
    }
    out += access_view(item) + time_view(item);
    out += "<script type=\"application/json\">" + picture_data(*item.pictures) + "</script>\n";
  }
  out += metrics_table(report) + remarks_view(item) + "</section>\n";
  return picture_page(fmt::format("{} on {}", report.kernel, report.device), out);
}

}  // namespace warpgrade::grader::html
