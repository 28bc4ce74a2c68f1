// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/timing/bound.h"
#include "grader/report/render_measurements.h"
#include "grader/study/access_picture.h"
#include "grader/study/study.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::study {
namespace {

// Published values that are closer than this count as equal when the order is judged.
constexpr double kTie = 0.05;

// A number that grows with speed: bytes per second, or launches per second.
std::optional<double> speed(const Run& run) {
  if (run.state != Run::State::kDone || run.seconds <= 0) return std::nullopt;
  return (run.bytes > 0 ? run.bytes : 1.0) / run.seconds;
}

std::optional<double> ratio(std::optional<double> value, std::optional<double> base) {
  if (!value || !base || *base == 0) return std::nullopt;
  return *value / *base;
}

std::size_t kernel_index(const Part& part, const std::string& id) {
  const auto found = std::find_if(part.kernels.begin(), part.kernels.end(),
                                  [&](const Kernel& kernel) { return kernel.id == id; });
  return static_cast<std::size_t>(found - part.kernels.begin());
}

// The published value of a point; the inverse of a time if `as_speed`.
std::optional<double> look_up(const Part& part, const PointIndex& point, bool as_speed) {
  const auto variables = part.variables_at(part.values[point.value]);
  const auto& kernel = part.kernels[point.kernel].id;
  for (const auto& table : part.published) {
    const auto found = table.find(part.devices[point.device].label(), kernel, variables);
    if (found) return as_speed && table.is_time ? 1 / *found : *found;
  }
  return std::nullopt;
}

// Whether a larger value is better, for the order of kernels.
bool more_is_better(const Part& part) {
  return part.quantity != Quantity::kSeconds && part.quantity != Quantity::kL1Clocks;
}

void add_pairs(const PartResult& result, Agreement& agreement, std::size_t device,
               std::size_t value) {
  const auto& part = *result.part;
  if (part.quantity == Quantity::kL1Clocks) return;  // no kernel is to be better than another
  for (std::size_t a = 0; a < part.kernels.size(); ++a) {
    for (std::size_t b = a + 1; b < part.kernels.size(); ++b) {
      const auto look = [&](std::size_t kernel) {
        return look_up(part, {device, kernel, value}, /*as_speed=*/true);
      };
      const auto run = [&](std::size_t kernel) {
        return speed(result.at({device, kernel, value}));
      };
      const auto published = ratio(look(a), look(b));
      const auto modelled = ratio(run(a), run(b));
      if (!published || !modelled) continue;
      if (std::max(*published, 1 / *published) < 1 + kTie) continue;
      ++agreement.pairs;
      const bool level = std::fabs(*modelled - 1) < 1e-9;
      if (!level && (*published > 1) == (*modelled > 1)) continue;
      const auto at = value_text(part, value);
      agreement.misplaced.push_back(fmt::format(
          "{} {} {}{}", part.kernels[*published > 1 ? b : a].id, level ? "level with" : "before",
          part.kernels[*published > 1 ? a : b].id, at.empty() ? "" : " at " + at));
    }
  }
}

}  // namespace

const Run& PartResult::at(const PointIndex& point) const {
  return runs.at((point.device * part->kernels.size() + point.kernel) * part->values.size() +
                 point.value);
}

Run& PartResult::at(const PointIndex& point) {
  return const_cast<Run&>(static_cast<const PartResult&>(*this).at(point));
}

std::vector<PointIndex> PartResult::points() const {
  std::vector<PointIndex> out;
  for (std::size_t d = 0; d < part->devices.size(); ++d) {
    for (std::size_t k = 0; k < part->kernels.size(); ++k) {
      for (std::size_t v = 0; v < part->values.size(); ++v) out.push_back({d, k, v});
    }
  }
  return out;
}

std::optional<double> PartResult::shown(const PointIndex& point) const {
  const auto& run = at(point);
  if (run.state != Run::State::kDone) return std::nullopt;
  switch (part->quantity) {
    case Quantity::kMetric:
    case Quantity::kL1Clocks:
      return run.metric;
    case Quantity::kSeconds:
      return run.seconds;
    case Quantity::kBandwidth:
      return speed(run);
    case Quantity::kStep:
      if (point.kernel == 0) return std::nullopt;
      return ratio(speed(run), speed(at({point.device, point.kernel - 1, point.value})));
    case Quantity::kFraction:
      break;
  }
  if (part->baseline == kCopyBaseline) return ratio(run.copy_seconds, run.seconds);
  return ratio(speed(run),
               speed(at({point.device, kernel_index(*part, part->baseline), point.value})));
}

std::optional<double> PartResult::published(const PointIndex& point) const {
  switch (part->quantity) {
    case Quantity::kStep:
      if (point.kernel == 0) return std::nullopt;
      return ratio(look_up(*part, point, true),
                   look_up(*part, {point.device, point.kernel - 1, point.value}, true));
    case Quantity::kFraction:
      if (part->baseline == kCopyBaseline) return std::nullopt;
      return ratio(
          look_up(*part, point, true),
          look_up(*part, {point.device, kernel_index(*part, part->baseline), point.value}, true));
    default:
      return look_up(*part, point, false);
  }
}

std::optional<double> PartResult::deviation(const PointIndex& point) const {
  const auto found = ratio(shown(point), published(point));
  return found ? std::optional(*found - 1) : std::nullopt;
}

bool PartResult::is_baseline(const PointIndex& point) const {
  return part->quantity == Quantity::kFraction && part->kernels[point.kernel].id == part->baseline;
}

std::optional<double> PartResult::best(std::size_t device, std::size_t kernel) const {
  std::optional<double> out;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < part->values.size(); ++v) {
    const auto value = shown({device, kernel, v});
    if (!value) continue;
    const auto merit = more_is_better(*part) ? *value : -*value;
    if (merit <= most) continue;
    most = merit;
    out = part->values[v];
  }
  return out;
}

std::optional<double> PartResult::published_best(std::size_t device, std::size_t kernel) const {
  for (const auto& table : part->best) {
    const auto found =
        table.find(part->devices[device].name, part->kernels[kernel].id, part->variables);
    if (found) return found;
  }
  return std::nullopt;
}

int Result::exit_code() const {
  if (!diagnostics.empty()) return only_unsupported ? 3 : 1;
  for (const auto& result : parts) {
    for (const auto& run : result.runs) {
      if (run.rule && run.rule != run.metric) return 3;
    }
  }
  return 0;
}

std::vector<Agreement> agreements(const Result& result) {
  std::vector<Agreement> out;
  const auto of_device = [&](const std::string& device) -> Agreement& {
    const auto found = std::find_if(out.begin(), out.end(),
                                    [&](const Agreement& one) { return one.device == device; });
    if (found != out.end()) return *found;
    out.emplace_back().device = device;
    return out.back();
  };
  for (const auto& part : result.parts) {
    for (const auto& point : part.points()) {
      const auto deviation = part.deviation(point);
      if (!deviation || part.is_baseline(point)) continue;
      auto& agreement = of_device(part.part->devices[point.device].label());
      ++agreement.values;
      agreement.mean += std::fabs(*deviation);
      if (std::fabs(*deviation) < std::fabs(agreement.largest)) continue;
      agreement.largest = *deviation;
      const auto at = value_text(*part.part, point.value);
      agreement.largest_at = part.part->kernels[point.kernel].id + (at.empty() ? "" : ", " + at);
    }
    for (auto& agreement : out) {
      for (std::size_t d = 0; d < part.part->devices.size(); ++d) {
        if (part.part->devices[d].label() != agreement.device) continue;
        for (std::size_t v = 0; v < part.part->values.size(); ++v) add_pairs(part, agreement, d, v);
      }
    }
  }
  for (auto& agreement : out) agreement.mean /= static_cast<double>(agreement.values);
  return out;
}

std::string value_text(const Part& part, std::size_t value) {
  if (part.values.size() == 1) return "";
  return fmt::format("{} = {}", part.axis, part.values[value]);
}

namespace {

using State = Run::State;

std::string percent(double deviation) { return fmt::format("{:+.1f} %", 100 * deviation); }

std::string shown_number(const Part& part, std::optional<double> value) {
  return value ? text::number(in_shown_unit(part, *value)) : "-";
}

std::string cell(const PartResult& result, const PointIndex& point) {
  if (result.at(point).state == State::kDoesNotFit) return "no fit";
  if (result.at(point).state == State::kFailed) return "failed";
  return shown_number(*result.part, result.shown(point));
}

std::string deviation_cell(const PartResult& result, const PointIndex& point) {
  const auto deviation = result.deviation(point);
  return deviation && !result.is_baseline(point) ? percent(*deviation) : "";
}

bool anything_published(const PartResult& result, const std::vector<PointIndex>& points) {
  return std::any_of(points.begin(), points.end(),
                     [&](const auto& point) { return result.published(point).has_value(); });
}

// One row per kernel, for an axis with one value.
std::string detail_table(const PartResult& result, const TableView& view,
                         const text::Style& style) {
  const auto& part = *result.part;
  const bool published = anything_published(result, view.columns);
  const bool bandwidth = part.quantity != Quantity::kBandwidth && part.kernels.front().bytes;
  std::vector<std::string> head = {"kernel", "time"};
  if (bandwidth) head.emplace_back("GB/s");
  if (part.quantity != Quantity::kSeconds) head.push_back(part.show_label);
  if (published) head.insert(head.end(), {"published", "deviation"});
  head.emplace_back("bound by");
  std::vector<bool> left(head.size());
  left.front() = left.back() = true;
  text::Columns table(left);
  table.add(std::move(head));
  for (const auto& point : view.columns) {
    const auto& run = result.at(point);
    const bool done = run.state == State::kDone;
    const auto& kernel = part.kernels[point.kernel];
    std::vector<std::string> row = {base::escape_controls(kernel.label),
                                    done ? text::seconds(run.seconds) : cell(result, point)};
    if (bandwidth) row.push_back(done ? text::number(run.bytes / run.seconds / 1e9) : "-");
    if (part.quantity != Quantity::kSeconds) row.push_back(done ? cell(result, point) : "-");
    if (published) {
      row.push_back(shown_number(part, result.published(point)));
      row.push_back(deviation_cell(result, point));
    }
    row.emplace_back(report::bound_in_words(run.bound_by));
    table.add(std::move(row));
  }
  return table.text(2, style);
}

// The axis values at which kernels are best, below those of a sweep.
void add_best(const PartResult& result, const TableView& view, const std::vector<bool>& wide,
              text::Columns& table) {
  if (result.part->best.empty()) return;
  std::vector<std::string> modelled = {"best"};
  std::vector<std::string> published = {"published best"};
  for (std::size_t c = 0; c < view.columns.size(); ++c) {
    const auto& point = view.columns[c];
    const auto text = [](std::optional<double> value) {
      return value ? text::number(*value) : "-";
    };
    modelled.push_back(text(result.best(point.device, point.kernel)));
    published.push_back(text(result.published_best(point.device, point.kernel)));
    if (!wide[c]) continue;
    modelled.insert(modelled.end(), {"", ""});
    published.insert(published.end(), {"", ""});
  }
  table.add(std::move(modelled));
  table.add(std::move(published));
}

// One row per value of the axis.
std::string sweep_table(const PartResult& result, const TableView& view, const text::Style& style) {
  const auto& part = *result.part;
  const auto at = [](PointIndex column, std::size_t value) {
    column.value = value;
    return column;
  };
  std::vector<bool> wide;  // A column with published values has two more.
  std::vector<std::string> head = {part.axis};
  for (std::size_t c = 0; c < view.columns.size(); ++c) {
    std::vector<PointIndex> points;
    for (std::size_t v = 0; v < part.values.size(); ++v) points.push_back(at(view.columns[c], v));
    wide.push_back(anything_published(result, points));
    head.push_back(view.names[c]);
    if (wide.back()) head.insert(head.end(), {"published", "deviation"});
  }
  text::Columns table({false});
  table.add(std::move(head));
  for (std::size_t v = 0; v < part.values.size(); ++v) {
    std::vector<std::string> row = {text::number(part.values[v])};
    for (std::size_t c = 0; c < view.columns.size(); ++c) {
      const auto point = at(view.columns[c], v);
      row.push_back(cell(result, point));
      if (!wide[c]) continue;
      const auto published = result.published(point);
      row.push_back(published ? shown_number(part, published) : "");
      row.push_back(deviation_cell(result, point));
    }
    table.add(std::move(row));
  }
  add_best(result, view, wide, table);
  return table.text(2, style);
}

// Mean over the `wanted` values; nullopt if the list is empty.
std::optional<double> mean(const PartResult& result, PointIndex column,
                           const std::function<bool(std::size_t)>& wanted) {
  double sum = 0;
  std::size_t count = 0;
  for (column.value = 0; column.value < result.part->values.size(); ++column.value) {
    const auto value = result.shown(column);
    if (!value || !wanted(column.value)) continue;
    sum += *value;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

// For every kernel, the mean on each curve beside the mean of the values outside all curves.
std::string curve_table(const PartResult& result, const TableView& view, const text::Style& style) {
  const auto& part = *result.part;
  if (part.curves.empty() || part.columns_are_devices) return "";
  const auto on = [&](const Curve& curve, std::size_t value) {
    return evaluate(curve.when, part.variables_at(part.values[value])) != 0;
  };
  text::Columns table({true});
  std::vector<std::string> head = {"mean, as a fraction of the mean without a curve"};
  head.insert(head.end(), view.names.begin(), view.names.end());
  table.add(std::move(head));
  for (const auto& curve : part.curves) {
    std::vector<std::string> row = {base::escape_controls(curve.label)};
    for (const auto& column : view.columns) {
      const auto here = mean(result, column, [&](std::size_t v) { return on(curve, v); });
      const auto elsewhere = mean(result, column, [&](std::size_t v) {
        return std::none_of(part.curves.begin(), part.curves.end(),
                            [&](const Curve& other) { return on(other, v); });
      });
      row.push_back(here && elsewhere ? text::number(*here / *elsewhere) : "-");
    }
    table.add(std::move(row));
  }
  return table.text(2, style);
}

std::string rule_text(const PartResult& result) {
  std::size_t agree = 0;
  std::string out;
  for (const auto& point : result.points()) {
    const auto& run = result.at(point);
    if (!run.rule) continue;
    if (run.rule == run.metric) {
      ++agree;
      continue;
    }
    const auto at = value_text(*result.part, point.value);
    out += fmt::format("  {} on {}{}: counted {}, the rule gives {}\n",
                       result.part->kernels[point.kernel].id,
                       result.part->devices[point.device].label(), at.empty() ? "" : " at " + at,
                       text::number(run.metric.value_or(0)), text::number(*run.rule));
  }
  return out + (agree > 0 ? fmt::format("  {} counts are what the rule of the banks gives for the "
                                        "addresses\n",
                                        agree)
                          : "");
}

std::string notes_text(const PartResult& result) {
  std::set<std::string> seen;
  std::string out;
  for (const auto& point : result.points()) {
    const auto& run = result.at(point);
    if (run.state != State::kDoesNotFit) continue;
    const auto text = fmt::format("{} on {}: {}", result.part->kernels[point.kernel].id,
                                  result.part->devices[point.device].label(), run.note);
    if (seen.insert(text).second) out += fmt::format("  no fit: {}\n", text);
  }
  return out;
}

std::string agreement_text(const std::vector<Agreement>& all, const text::Style& style) {
  if (all.empty()) return "";
  auto out = style(text::Colour::kBold, "Beside what was published") + "\n";
  text::Columns table({true});
  table.add({"device", "values", "mean deviation", "largest", "pairs in order"});
  for (const auto& one : all) {
    table.add({one.device, fmt::format("{}", one.values), fmt::format("{:.1f} %", 100 * one.mean),
               percent(one.largest),
               fmt::format("{} of {}", one.pairs - one.misplaced.size(), one.pairs)});
  }
  out += table.text(2, style);
  for (const auto& one : all) {
    out += fmt::format("  {}: largest at {}\n", one.device, one.largest_at);
    constexpr std::size_t kMostNamed = 6;
    std::string names;
    for (std::size_t i = 0; i < std::min(one.misplaced.size(), kMostNamed); ++i) {
      names += fmt::format("{}{}", i == 0 ? "" : "; ", one.misplaced[i]);
    }
    if (one.misplaced.size() > kMostNamed) {
      names += fmt::format("; and {} more", one.misplaced.size() - kMostNamed);
    }
    if (!names.empty())
      out += text::wrapped(fmt::format("{}: wrong order: {}", one.device, names), 2);
  }
  return out;
}

// The error of each kind of kernel on cards that measured hundreds of launches. Empty if the study
// has no published values of such a card.
std::string launches_text(const std::vector<Agreement>& all, const text::Style& style) {
  const auto is_measured = [](const Agreement& one) {
    return device::find(one.device).errors.has_kinds();
  };
  if (std::none_of(all.begin(), all.end(), is_measured)) return "";
  std::vector<const device::Profile*> measured;
  for (const auto* profile : device::profiles()) {
    if (profile->errors.has_kinds()) measured.push_back(profile);
  }
  std::vector<std::string> head = {"kernels"};
  for (const auto* profile : measured) head.push_back(profile->name);
  text::Columns errors({true});
  errors.add(std::move(head));
  for (std::size_t kind = 0; kind < device::kKernelKinds.size(); ++kind) {
    std::vector<std::string> row = {std::string(device::kManyKernels.at(kind))};
    for (const auto* profile : measured) {
      row.push_back(fmt::format("{:.0f} %", 100 * profile->errors.speed_by_kind.at(kind)));
    }
    errors.add(std::move(row));
  }
  return style(text::Colour::kBold,
               "Error of modelled times in 95 % of the launches measured on a card") +
         "\n" + errors.text(2, style);
}

// Names the sources of the published values, each once.
std::string sources_text(const Study& study) {
  std::set<std::string> seen;
  std::string out;
  for (const auto& part : study.parts) {
    for (const auto* tables : {&part.published, &part.best}) {
      for (const auto& table : *tables) {
        if (!seen.insert(table.source).second) continue;
        out += text::wrapped(fmt::format("published: {}", base::escape_controls(table.source)), 0);
      }
    }
  }
  return out;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  out += '"';
  return out;
}

}  // namespace

double in_shown_unit(const Part& part, double value) {
  if (part.quantity == Quantity::kBandwidth) return value / 1e9;
  if (part.quantity == Quantity::kSeconds) return value * 1e3;
  return value;
}

std::vector<TableView> tables_of(const Part& part) {
  std::vector<TableView> out;
  const auto title = base::escape_controls(part.title);
  if (part.columns_are_devices) {
    for (std::size_t k = 0; k < part.kernels.size(); ++k) {
      auto& view = out.emplace_back();
      const auto label = base::escape_controls(part.kernels[k].label);
      view.title = part.kernels.size() == 1 ? title : fmt::format("{}: {}", title, label);
      for (std::size_t d = 0; d < part.devices.size(); ++d) {
        view.columns.push_back({d, k, 0});
        view.names.push_back(part.devices[d].label());
        view.labels.push_back(view.names.back());
      }
    }
    return out;
  }
  for (std::size_t d = 0; d < part.devices.size(); ++d) {
    auto& view = out.emplace_back();
    view.title = fmt::format("{}, {}", title, part.devices[d].label());
    for (std::size_t k = 0; k < part.kernels.size(); ++k) {
      view.columns.push_back({d, k, 0});
      view.names.push_back(base::escape_controls(part.kernels[k].id));
      view.labels.push_back(base::escape_controls(part.kernels[k].label));
    }
  }
  return out;
}

std::string render_text(const Result& result, const text::Style& style) {
  const auto& study = *result.study;
  auto out = fmt::format("{} (simulated)\n",
                         style(text::Colour::kBold, base::escape_controls(study.title)));
  out += text::wrapped(base::escape_controls(study.summary), 0);
  for (const auto& part : result.parts) {
    const bool is_sweep = part.part->values.size() > 1;
    for (const auto& view : tables_of(*part.part)) {
      out += '\n' + style(text::Colour::kBold, view.title);
      if (is_sweep || part.part->columns_are_devices) {
        out += fmt::format(": {}\n", base::escape_controls(part.part->show_label)) +
               sweep_table(part, view, style) + curve_table(part, view, style);
      } else {
        out += '\n' + detail_table(part, view, style);
      }
    }
    out += rule_text(part) + notes_text(part);
  }
  for (const auto& access : result.accesses) out += '\n' + access_text(access);
  const auto all = agreements(result);
  if (const auto text = agreement_text(all, style); !text.empty()) out += '\n' + text;
  if (const auto text = launches_text(all, style); !text.empty()) out += '\n' + text;
  if (const auto text = sources_text(study); !text.empty()) out += '\n' + text;
  for (const auto& diagnostic : result.diagnostics) out += '\n' + diagnostic;
  return out;
}

std::string render_csv(const Result& result) {
  std::string out =
      "part,device,kernel,axis,axis_value,seconds,bytes,shown,shown_unit,published,deviation,"
      "rule,bound_by,note\n";
  const auto text = [](std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{:.9g}", *value) : std::string();
  };
  for (const auto& part : result.parts) {
    const auto& described = *part.part;
    for (const auto& point : part.points()) {
      const auto& run = part.at(point);
      if (run.state == State::kLeftOut) continue;
      const bool done = run.state == State::kDone;
      const auto in_unit = [&](std::optional<double> value) {
        return value ? std::optional(in_shown_unit(described, *value)) : std::nullopt;
      };
      const std::vector<std::string> cells = {
          described.id,
          described.devices[point.device].label(),
          described.kernels[point.kernel].id,
          described.axis,
          text(described.values[point.value]),
          text(done ? std::optional(run.seconds) : std::nullopt),
          text(done && run.bytes > 0 ? std::optional(run.bytes) : std::nullopt),
          text(in_unit(part.shown(point))),
          described.show_label,
          text(in_unit(part.published(point))),
          text(part.deviation(point)),
          text(run.rule),
          std::string(timing::name(run.bound_by)),
          run.state == State::kFailed ? "failed" : run.note};
      for (const auto& one : cells) out += quoted(one) + ',';
      out.back() = '\n';
    }
  }
  return out;
}

}  // namespace warpgrade::grader::study
