// SPDX-License-Identifier: Apache-2.0
// The report of `warpgrade profile`: one profiled launch, or a sequence of them, as a plain
// struct and as text for a terminal.
// In: what profile/profiling.h measured. Out: the struct for all renderers of `warpgrade
// profile`, and the text.
// The struct also holds what a mistake in the arguments needs: the parameters of the kernel.
#include "grader/report/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "common/run/launch.h"
#include "common/timing/speed_of_light.h"
#include "grader/report/render_measurements.h"
#include "grader/report/render_text.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

std::string band_text(const ProfileReport& report) {
  if (!report.band) return {};
  const auto low = text::seconds(report.band->low);
  if (!report.band->high) return fmt::format(" (at least {})", low);
  return fmt::format(" ({} to {})", low, text::seconds(*report.band->high));
}

namespace {

std::string launch_lines(const ProfileReport& report) {
  const auto& resources = report.resources;
  const auto& occupancy = report.measurement.occupancy;
  const auto registers = resources.registers_per_thread;
  text::Columns table({true, true});
  table.add({"grid", base::extent_text(report.launch.grid)});
  table.add({"block", base::extent_text(report.launch.block)});
  table.add({"resources",
             fmt::format("{} registers per thread, {} + {} bytes of shared memory per block "
                         "(static + dynamic)",
                         registers == 0 ? "an unknown number of" : fmt::format("{}", registers),
                         base::grouped(resources.static_shared_bytes),
                         base::grouped(report.launch.dynamic_shared_bytes))});
  if (resources.spill_store_bytes + resources.spill_load_bytes > 0) {
    table.add({"spills", fmt::format("{} bytes stored, {} loaded a thread",
                                     resources.spill_store_bytes, resources.spill_load_bytes)});
  }
  table.add({"occupancy", fmt::format("{}, {} an SM, limited by {}",
                                      base::counted(occupancy.blocks_per_sm, "block"),
                                      base::counted(occupancy.warps_per_sm, "warp"),
                                      timing::name(occupancy.limited_by))});
  return table.text(2, text::Style());
}

std::string time_lines(const ProfileReport& report) {
  const auto& measured = report.measurement;
  const auto rate =
      measured.seconds > 0 ? static_cast<double>(measured.bytes) / measured.seconds : 0.0;
  auto out =
      fmt::format("  time  {}{} for {} bytes, {}; bound by {}\n", text::seconds(measured.seconds),
                  band_text(report), base::grouped(measured.bytes), text::bytes_per_second(rate),
                  bound_in_words(measured.bound_by));
  if (!measured.shares.empty()) out += text::wrapped(render_shares(measured.shares), 8);
  out += text::wrapped(skew_text(measured.skew), 8);
  out += text::wrapped(inexact_time_text(measured.unmodelled), 8);
  for (const auto& sentence : report.time_advice) out += text::wrapped(sentence, 8);
  return out;
}

std::string roofline_lines(const ProfileReport& report) {
  if (!report.roofline) return {};
  text::Columns table({true, false, false, false, false, false, false, true, false});
  for (auto& row : roofline_rows(*report.roofline)) table.add(std::move(row));
  const auto traffic = traffic_text(*report.roofline);
  return fmt::format("\n  roofline{}{}\n{}{}", traffic.empty() ? "" : ": ", traffic,
                     table.text(4, text::Style()),
                     text::wrapped(not_counted_text(*report.roofline), 4));
}

// The launches of a sequence, equal ones in a row together.
std::string step_lines(const ProfileReport& report) {
  if (report.launches.empty()) return {};
  text::Columns table({true, false, true, true, false});
  table.add({"launch", "times", "grid", "block", "time"});
  for (const auto& step : report.launches) {
    table.add({base::escape_controls(step.kernel), std::to_string(step.times),
               base::extent_text(step.grid), base::extent_text(step.block),
               text::seconds(step.seconds)});
  }
  const auto* title =
      report.backend == run::Backend::kGpu ? "launches, each run for itself:" : "launches:";
  return fmt::format("\n  {}\n{}", title, table.text(4, text::Style()));
}

// Speed of Light comes first. Metrics that are 0 are left out, except throughputs and hit rates:
// most kernels have no atomics, no bank conflicts, no local memory and few of the stalls.
std::string metric_lines(const memory::Metrics& metrics) {
  text::Columns light({true, false});
  text::Columns table({true, false});
  const auto& modelled = timing::speed_of_light_names();
  for (const auto& [name, value] : metrics) {
    const bool is_light = std::ranges::binary_search(modelled, name);
    const bool is_rate = is_light && name.find("pct") != std::string::npos;
    if (value == 0 && !is_rate) continue;
    if (is_light) {
      light.add({name, fmt::format("{:.4g}", value)});
    } else {
      table.add({name, text::number(value)});
    }
  }
  const auto zeros = metrics.size() - table.size() - light.size();
  auto others = table.text(2, text::Style());
  if (zeros != 0) {
    others += fmt::format("  {} 0 and not listed\n",
                          zeros == 1 ? "1 metric is" : base::counted(zeros, "metric") + " are");
  }
  if (light.size() == 0) return others;
  return fmt::format("  speed of light, modelled:\n{}\n{}", light.text(4, text::Style()), others);
}

// The metrics of a run on a GPU; for missing ones, the reason.
std::string gpu_lines(const ProfileReport& report) {
  const auto line = [](const std::string& what, const std::string& why) {
    return fmt::format("\n{}", text::wrapped(what + base::escape_controls(why), 2));
  };
  const auto& gpu = report.measurement.metrics;
  std::string out;
  if (!report.counters_missing.empty()) {
    out += line("no counters of the card: ", report.counters_missing);
  }
  if (report.simulated_seconds > 0) {
    out += fmt::format("\n  simulated time on {}: {}\n", report.device,
                       text::seconds(report.simulated_seconds));
  }
  if (!gpu.empty() || !report.simulated.metrics.empty()) {
    out += '\n' + render_counters(gpu, report.simulated.metrics, 2);
  }
  if (!report.simulated.reason.empty()) out += line("not simulated: ", report.simulated.reason);
  return out;
}

}  // namespace

std::string render_text(const ProfileReport& report, const text::Style& style) {
  const auto kernel = base::escape_controls(report.kernel);  // Empty if the only one is unknown.
  auto out = fmt::format("{}{} on {} ({})\n",
                         kernel.empty() ? "" : style(text::Colour::kBold, kernel) + " of ",
                         base::escape_controls(report.file), report.device,
                         report.backend == run::Backend::kGpu ? "measured" : "simulated");
  for (const auto* all : {&report.diagnostics, &report.warnings}) {
    for (const auto& diagnostic : *all) {
      const bool own = diagnostic.where.file == report.file;
      out += render_diagnostic(diagnostic, own ? report.source : "", style);
    }
  }
  if (!report.compiler_warnings.empty()) {
    out += "compiler warnings:\n" +
           base::escape_controls(report.compiler_warnings, /*keep_newlines=*/true);
  }
  const auto& measured = report.measurement;
  const bool ran = !report.launch.kernel.empty();
  if (!ran) return out;
  out += launch_lines(report);
  out += time_lines(report);
  out += step_lines(report);
  if (!report.left_out.empty()) out += text::wrapped(report.left_out, 2);
  if (!report.note.empty())
    out += "  note\n" + text::wrapped(base::escape_controls(report.note), 8);
  if (report.backend == run::Backend::kGpu) {
    out += gpu_lines(report);
  } else if (!measured.metrics.empty()) {
    out += '\n' + metric_lines(measured.metrics);
  }
  out += roofline_lines(report);
  if (!measured.lines.empty()) {
    if (report.backend == run::Backend::kGpu) out += "\n  lines, simulated:";
    out += '\n' + render_lines(measured.lines, report.file, report.source, 2, style);
  }
  if (!measured.instruction_lines.empty()) {
    out += '\n' +
           render_instructions(measured.instruction_lines, report.file, report.source, 2, style);
  }
  if (!measured.line_activity.empty()) {
    out += '\n' + render_activity(measured.line_activity, report.file, report.source, 2, style);
  }
  if (!measured.result.printed.empty()) {
    out += fmt::format("\nprinted by the kernel:\n{}\n",
                       base::escape_controls(measured.result.printed, /*keep_newlines=*/true));
  }
  return out;
}

}  // namespace warpgrade::grader::report
