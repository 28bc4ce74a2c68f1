// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "grader/report/profile_report.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_measurements.h"
#include "grader/report/render_text.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {
namespace {

using Json = nlohmann::ordered_json;

Json text(std::string_view value) { return base::escape_controls(value, /*keep_newlines=*/true); }

Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

// For keys that are numbers in every report: 0 replaces a missing value.
double finite(double value) { return std::isfinite(value) ? value : 0.0; }

Json triple(const base::Dim3& value) { return {value.x, value.y, value.z}; }
Json triple(const std::optional<base::Dim3>& value) {
  return value ? triple(*value) : Json(nullptr);
}

Json diagnostics(std::vector<base::Diagnostic> all, const std::vector<base::Diagnostic>& warnings) {
  all.insert(all.end(), warnings.begin(), warnings.end());
  auto out = Json::array();
  for (const auto& one : all) {
    out.push_back({{"kind", base::name(one.kind)},
                   {"severity", base::name(one.severity)},
                   {"file", text(one.where.file)},
                   {"line", one.where.line},
                   {"message", base::shown_message(one)},
                   {"block", triple(one.block)},
                   {"thread", triple(one.thread)}});
  }
  return out;
}

// Whether the gate passes in the cases measured so far.
bool passes(const Gate& gate) { return gate.worst && gate.worst->outcome == GateOutcome::kPassed; }

Json gates(const std::vector<Gate>& all) {
  auto out = Json::array();
  for (const auto& gate : all) {
    const auto bounds = gate.deciding_bounds();
    out.push_back({{"id", gate.definition.id},
                   {"metric", gate.definition.metric},
                   {"device", gate.definition.device},
                   {"value", number_or_null(gate.value())},
                   {"min", number_or_null(bounds.min)},
                   {"max", number_or_null(bounds.max)},
                   {"points", gate.points},
                   {"passed", passes(gate)}});
    const auto* interval = gate.interval();
    if (interval == nullptr) continue;  // not measured on a GPU
    auto& made = out.back();
    made["low"] = number_or_null(interval->low);
    made["high"] = number_or_null(interval->high);
    made["undecided"] = gate.worst->outcome == GateOutcome::kUndecided;
    made["waived"] = gate.waiver.has_value();
    made["seconds_copy_kernel_kernel_copy"] = interval->samples;
  }
  return out;
}

Json metrics(const memory::Metrics& all) {
  auto out = Json::object();
  for (const auto& [name, value] : all) out[name] = finite(value);
  return out;
}

// Whole numbers without a fraction.
Json variables(const text::Variables& all) {
  auto out = Json::object();
  for (const auto& [name, value] : all) {
    const bool is_whole = std::abs(value) < 1e15 && value == std::trunc(value);
    out[name] = is_whole ? Json(static_cast<std::int64_t>(value)) : number_or_null(value);
  }
  return out;
}

// null if every result is right.
Json difference_json(const ExerciseReport& item) {
  const auto* wrong = item.first_incorrect();
  if (wrong == nullptr || !wrong->difference) return nullptr;
  const auto& found = *wrong->difference;
  return {{"case", wrong->name},
          {"variables", variables(wrong->variables)},
          {"element", text(found.element)},
          {"indices", found.indices},
          {"expected", found.expected},
          {"got", found.got},
          {"cause", text(found.cause)}};
}

// null if all passed, and for questions.
Json cause_json(const ExerciseReport& item) {
  if (!item.cause) return nullptr;
  const auto line = [](std::uint32_t number) { return number == 0 ? Json(nullptr) : Json(number); };
  return {{"id", course::name(item.cause->id)},
          {"line", line(item.cause->line)},
          {"other_line", line(item.cause->other_line)}};
}

// With the keys of a profile on a GPU.
Json counters(const std::vector<Case>& all) {
  auto out = Json::array();
  for (const auto& item : all) {
    if (!item.counted) continue;
    const auto& [counts, reason] = *item.counted;
    out.push_back({{"case", item.name},
                   {"device", item.device},
                   {"metrics", metrics(counts)},
                   {"simulated_metrics", metrics(item.simulated)}});
    if (!reason.empty()) out.back()["counters_missing"] = text(reason);
  }
  return out;
}

Json rooflines_json(const std::vector<Case>& all) {
  auto out = Json::array();
  for (const auto& item : all) {
    if (!item.roofline) continue;
    const auto& roof = *item.roofline;
    out.push_back({{"case", item.name},
                   {"variables", variables(item.timed_variables)},
                   {"device", item.device},
                   {"backend", name(item.backend)},
                   {"bytes", finite(roof.bytes)},
                   {"operations", finite(roof.operations)},
                   {"intensity", finite(roof.intensity())},
                   {"seconds", finite(roof.seconds)},
                   {"copy_bytes_per_second", finite(roof.copy_bytes_per_second())},
                   {"peak_operations_per_second", finite(roof.peak_operations_per_second())},
                   {"limited_by", roof.is_limited_by_operations() ? "operations" : "bytes"}});
  }
  return out;
}

// Adds a speed with the interval that a GPU has.
void add_speed(const std::string& key, const std::optional<GateValue>& speed, Json& to) {
  to[key] = number_or_null(speed ? number_of(*speed) : std::nullopt);
  if (!speed || !std::holds_alternative<MeasuredInterval>(*speed)) return;
  const auto& interval = std::get<MeasuredInterval>(*speed);
  to[key + "_low"] = number_or_null(interval.low);
  to[key + "_high"] = number_or_null(interval.high);
}

Json skew_json(const timing::Contention& found) {
  return {{"kind", "contention"},
          {"space", found.space == run::Space::kShared ? "shared" : "global"},
          {"lanes", finite(found.lanes)},
          {"lanes_on_one_word", finite(found.on_one_word)}};
}

Json skew_json(const timing::Imbalance& found) {
  return {{"kind", "imbalance"},
          {"longest_warp_instructions", finite(found.longest)},
          {"mean_warp_instructions", finite(found.mean)},
          {"longest_warp_seconds", finite(found.longest_seconds)}};
}

// Adds the skew, if any, and its sentence as `to["skew"]`.
void add_skew(const timing::Skew& skew, Json& to) {
  const auto add = [&](const auto& found) {
    if constexpr (!std::is_same_v<decltype(found), const std::monostate&>) {
      to["skew"] = skew_json(found);
      to["skew"]["text"] = text(skew_text(skew));
    }
  };
  std::visit(add, skew);
}

// The skews behind failed gates.
void add_skews(const std::vector<LineTable>& all, Json& to) {
  for (const auto& table : all) {
    Json one = {{"gate", table.gate}, {"device", table.device}};
    add_skew(table.skew, one);
    if (one.contains("skew")) to["skews"].push_back(std::move(one));
  }
}

Json text_or_null(const std::string& value) { return value.empty() ? Json(nullptr) : text(value); }

// The errors with their source lines, as the text report shows them.
std::string diagnostics_text(const ProfileReport& report) {
  std::string out;
  for (const auto& one : report.diagnostics) {
    const bool own = one.where.file == report.file;
    out += render_diagnostic(one, own ? report.source : "", text::Style());
  }
  return out;
}

Json lines_json(const std::vector<memory::LineCounters>& all) {
  auto out = Json::array();
  for (const auto& line : all) {
    out.push_back({{"file", text(line.file)},
                   {"line", line.line},
                   {"operation", name(line.operation)},
                   {"requests", line.requests},
                   {"sectors", line.sectors},
                   {"wavefronts", line.wavefronts}});
  }
  return out;
}

// The counters by line of the gates that failed.
void add_lines(const std::vector<LineTable>& tables, Json& to) {
  for (const auto& table : tables) {
    if (table.lines.empty()) continue;
    to["lines"].push_back(
        {{"gate", text(table.gate)}, {"device", table.device}, {"lines", lines_json(table.lines)}});
  }
}

std::string dump(const Json& json) {
  // Keys and values are already valid UTF-8; `replace` is a precaution.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string render_json(const Report& report) {
  auto exercises = Json::array();
  for (const auto& item : report.exercises) {
    exercises.push_back({{"lab", item.lab},
                         {"exercise", item.exercise},
                         {"points", item.points},
                         {"max_points", item.max_points},
                         {"verdict", name(item.verdict)},
                         {"reason", name(item.reason)},
                         {"correct", item.correct},
                         {"gates", gates(item.gates)},
                         {"diagnostics", diagnostics(item.diagnostics, item.race_warnings)},
                         {"file", text(item.file)},
                         {"sha256", item.sha256.empty() ? Json(nullptr) : Json(item.sha256)},
                         {"difference", difference_json(item)},
                         {"why", text_or_null(failure_text(item))},
                         {"cause", cause_json(item)},
                         {"hint", text_or_null(item.hint)},
                         {"next", text_or_null(item.next)}});
    add_speed("fraction_of_copy", item.fraction_of_copy(), exercises.back());
    add_speed("fraction_of_roofline", item.fraction_of_roofline(), exercises.back());
    if (item.has_roofline()) exercises.back()["rooflines"] = rooflines_json(item.cases);
    add_skews(item.lines, exercises.back());
    add_lines(item.lines, exercises.back());
    if (auto all = counters(item.cases); !all.empty())
      exercises.back()["counters"] = std::move(all);
    if (!item.warnings.empty()) {
      auto& warnings = exercises.back()["warnings"] = Json::array();
      for (const auto& warning : item.warnings) warnings.push_back(text(warning));
    }
  }
  const auto& made = report.provenance;
  return dump({{"schema", "warpgrade.grade/1"},
               {"grader", {{"version", text(made.version)}, {"commit", text(made.commit)}}},
               {"toolkit", text_or_null(made.toolkit)},
               {"time", text(made.time)},
               {"backend", name(report.backend)},
               {"device", report.device},
               {"seed", report.seed},
               {"exercises", std::move(exercises)}});
}

static Json json_of(const ProfileRoofline& roofline) {
  const auto level = [&](const ProfileRoofline::Level& one) {
    Json out = {{"bytes", one.bytes}, {"bytes_per_second", one.bytes / roofline.seconds}};
    if (one.peak) out["peak"] = *one.peak;
    return out;
  };
  Json out = {{"dram", level(roofline.dram)}, {"l2", level(roofline.l2)}};
  for (const auto& one : roofline.operations) {
    Json row = {{"kind", one.kind},
                {"operations", one.count},
                {"operations_per_second", roofline.rate(one)}};
    const auto add = [&](const char* key, const std::optional<double>& value) {
      if (value) row[key] = *value;
    };
    add("peak", one.peak);
    add("per_dram_byte", ProfileRoofline::intensity(one, roofline.dram));
    add("per_l2_byte", ProfileRoofline::intensity(one, roofline.l2));
    if (const auto roof = roofline.roof(one)) {
      row["roof"] = roof->rate;
      row["limited_by"] = roof->limited_by;
      row["share"] = roofline.share(one).value_or(0);
    }
    out["arithmetic"].push_back(std::move(row));
  }
  return out;
}

// Shares of the time of all warps by state, without those that are 0.
static Json json_of(const timing::LineActivity& line, double all) {
  Json out = Json::object();
  for (std::size_t i = 0; i < timing::kWarpStates; ++i) {
    if (line.clocks[i] <= 0) continue;
    out[std::string(timing::name(static_cast<timing::WarpState>(i)))] = line.clocks[i] / all;
  }
  return out;
}

// Adds `stalls` to each of `lines`; lines of which only the time is known are appended.
static void add_stalls(const std::vector<timing::LineActivity>& activity, bool append,
                       Json& lines) {
  const double all = total_of(activity);
  for (const auto& one : activity) {
    const auto file = text(one.where.file);
    bool is_known = false;
    for (auto& line : lines) {
      if (line["file"] != file || line["line"] != one.where.line) continue;
      line["stalls"] = json_of(one, all);
      is_known = true;
    }
    if (is_known || !append) continue;
    lines.push_back({{"file", file},
                     {"line", one.where.line},
                     {"warp_instructions", 0},
                     {"stalls", json_of(one, all)}});
  }
}

static Json json_of(const ProfileReport& report) {
  const auto& measured = report.measurement;
  std::uint64_t thread_instructions = 0;
  for (const auto& count : measured.result.instructions) thread_instructions += count.threads;
  const auto seconds = finite(measured.seconds);
  const bool is_sim = report.backend == run::Backend::kSim;
  const auto rate = seconds > 0 ? static_cast<double>(measured.bytes) / seconds : 0.0;
  Json out = {{"schema", "warpgrade.profile/1"},
              {"kernel", text(report.kernel)},
              {"device", report.device},
              {"backend", name(report.backend)},
              {"grid", triple(report.launch.grid)},
              {"block", triple(report.launch.block)},
              {"resources",
               {{"registers_per_thread", report.resources.registers_per_thread},
                {"static_shared_bytes", report.resources.static_shared_bytes},
                {"dynamic_shared_bytes", report.launch.dynamic_shared_bytes}}},
              {"occupancy",
               {{"blocks_per_sm", measured.occupancy.blocks_per_sm},
                {"warps_per_sm", measured.occupancy.warps_per_sm},
                {"limited_by", timing::name(measured.occupancy.limited_by)}}},
              {"metrics", metrics(measured.metrics)},
              {"lines", lines_json(measured.lines)},
              {"time",
               {{"seconds", seconds},
                {"bytes", measured.bytes},
                {"bytes_per_second", finite(rate)},
                {"bound_by", timing::name(measured.bound_by)}}},
              {"simulation",
               {{"seconds", is_sim ? finite(measured.result.seconds) : 0.0},
                {"thread_instructions", thread_instructions}}},
              {"diagnostics", diagnostics(report.diagnostics, report.warnings)}};
  for (std::size_t i = 0; i < measured.lines.size(); ++i) {
    const auto& line = measured.lines[i];
    const auto source = source_text(line.file, line.line, report.file, report.source);
    if (!source.empty()) out["lines"][i]["text"] = text(source);
  }
  if (report.band) {
    out["time"]["low"] = report.band->low;
    // Not known: a part of the launch has no bound.
    out["time"]["high"] = report.band->high ? Json(*report.band->high) : Json(nullptr);
  }
  if (const auto parts = measured.parts.by_name(); !parts.empty()) out["time"]["parts"] = parts;
  add_skew(measured.skew, out["time"]);
  if (!report.launches.empty()) {
    auto& launches = out["launches"] = Json::array();
    for (const auto& step : report.launches) {
      launches.push_back({{"kernel", text(step.kernel)},
                          {"grid", triple(step.grid)},
                          {"block", triple(step.block)},
                          {"times", step.times},
                          {"seconds", finite(step.seconds)}});
    }
  }
  const auto add_text = [&](const char* key, const std::string& value) {
    if (!value.empty()) out[key] = text(value);
  };
  add_text("diagnostics_text", diagnostics_text(report));
  add_text("printed", measured.result.printed);
  add_text("note", report.note);
  add_text("left_out", report.left_out);
  for (const auto& line : measured.instruction_lines) {
    out["instruction_lines"].push_back(
        {{"file", text(line.file)}, {"line", line.line}, {"warp_instructions", line.warps}});
  }
  if (!measured.line_activity.empty()) {
    add_stalls(measured.line_activity, false, out["lines"]);
    add_stalls(measured.line_activity, true, out["instruction_lines"]);
  }
  if (report.roofline) out["roofline"] = json_of(*report.roofline);
  if (!report.time_advice.empty()) out["time_advice"] = report.time_advice;
  if (!report.compiler_warnings.empty()) out["compiler_warnings"] = text(report.compiler_warnings);
  // The other keys are for launches on a GPU.
  if (!report.simulated.metrics.empty()) {
    out["simulated_metrics"] = metrics(report.simulated.metrics);
    out["simulated_seconds"] = report.simulated_seconds;
  }
  if (!report.counters_missing.empty()) out["counters_missing"] = text(report.counters_missing);
  return out;
}

std::string render_json(const ProfileReport& report) { return dump(json_of(report)); }

std::string render_json(const std::vector<CardProfile>& cards) {
  Json profiles = Json::array();
  Json refusals = Json::array();
  for (const auto& card : cards) {
    if (card.report) {
      profiles.push_back(json_of(*card.report));
    } else {
      refusals.push_back({{"device", card.device}, {"reason", text(card.refusal)}});
    }
  }
  return dump({{"schema", "warpgrade.profiles/1"},
               {"profiles", std::move(profiles)},
               {"refusals", std::move(refusals)}});
}

std::string render_json(const KernelFacts& facts) {
  auto parameters = Json::array();
  for (const auto& one : facts.parameters) {
    parameters.push_back({{"name", text(one.name)},
                          {"bytes", one.bytes},
                          {"kind", one.is_float    ? "float"
                                   : one.is_number ? "integer or address"
                                                   : "structure"},
                          {"type", one.type.empty() ? Json(nullptr) : Json(text(one.type))},
                          {"pointee_bytes", one.pointee_bytes}});
  }
  return dump({{"schema", "warpgrade.kernel/1"},
               {"kernel", text(facts.kernel)},
               {"parameters", std::move(parameters)},
               {"registers_per_thread", facts.resources.registers_per_thread},
               {"static_shared_bytes", facts.resources.static_shared_bytes},
               {"local_bytes", facts.resources.stack_frame_bytes},
               {"constant_bytes", facts.resources.constant_bytes},
               {"most_threads_per_block", facts.most_threads},
               {"most_dynamic_shared_bytes", facts.most_dynamic_bytes},
               {"architecture", facts.architecture}});
}

std::string render_json(const std::vector<ModuleSymbol>& symbols) {
  auto all = Json::array();
  for (const auto& one : symbols) {
    std::string initial;
    for (const auto byte : one.initial)
      initial += fmt::format("{:02x}", std::to_integer<int>(byte));
    all.push_back({{"name", text(one.name)},
                   {"space", one.is_constant ? "constant" : "global"},
                   {"bytes", one.bytes},
                   {"initial", std::move(initial)},
                   {"has_addresses", one.has_addresses}});
  }
  return dump({{"schema", "warpgrade.symbols/1"}, {"symbols", std::move(all)}});
}

namespace {

Json verified_kernel(const VerifiedKernel& kernel, bool is_measured) {
  Json out = {{"file", text(kernel.file)},
              {"kernel", text_or_null(kernel.signature)},
              {"sha256", kernel.sha256}};
  if (!is_measured) return out;
  const auto& measured = kernel.measured;
  out["resources"] = {{"registers_per_thread", kernel.resources.registers_per_thread},
                      {"static_shared_bytes", kernel.resources.static_shared_bytes}};
  out["time"] = {{"seconds", finite(measured.seconds)},
                 {"bytes", measured.bytes},
                 {"bound_by", timing::name(measured.bound_by)}};
  out["metrics"] = metrics(measured.metrics);
  return out;
}

Json counterexample_json(const std::optional<Counterexample>& found) {
  if (!found) return nullptr;
  Json difference = nullptr;
  if (found->difference) {
    difference = {{"element", text(found->difference->element)},
                  {"indices", found->difference->indices},
                  {"expected", found->difference->expected},
                  {"got", found->difference->got},
                  {"cause", text(found->difference->cause)}};
  }
  return {{"sizes", variables(found->at.sizes)},
          {"inputs", found->at.inputs},
          {"in_other_order", found->in_other_order},
          {"difference", std::move(difference)},
          {"command", text(found->command)}};
}

}  // namespace

std::string render_json(const VerificationReport& report) {
  auto cases = Json::array();
  for (const auto& one : report.cases) {
    cases.push_back({{"sizes", variables(one.sizes)}, {"inputs", one.inputs}});
  }
  const bool is_measured = report.measured_at.has_value();
  return dump({{"schema", "warpgrade.verify/1"},
               {"verdict", name(report.verdict)},
               {"why", text_or_null(report.why)},
               {"new", verified_kernel(report.fresh, is_measured)},
               {"old", verified_kernel(report.old, is_measured)},
               {"device", report.device},
               {"seed", report.seed},
               {"tolerance", text_or_null(report.tolerance)},
               {"counterexample", counterexample_json(report.counterexample)},
               {"measured_at", is_measured ? variables(*report.measured_at) : Json(nullptr)},
               {"not_measured", text_or_null(report.not_measured)},
               {"cases_planned", report.planned},
               {"cases", std::move(cases)},
               {"diagnostics", diagnostics(report.diagnostics, report.warnings)}});
}

}  // namespace warpgrade::grader::report
