// SPDX-License-Identifier: Apache-2.0
// Profiles side by side: one kernel on several cards, or two versions of a kernel on one.
//
// In: profiles of this call, or of an earlier one as JSON. Out: rows of a table for the terminal
// and the page. Differences come first; a metric that both have alike is only counted. Lines of two
// versions are matched by a longest common subsequence of their texts, as `diff` matches them.
#include "grader/report/profile_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/timing/bound.h"
#include "grader/report/render_measurements.h"
#include "grader/report/render_text.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {
namespace {

using Line = ComparedProfile::Line;
using AnyJson = nlohmann::json;

std::optional<double> metric(const memory::Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(name);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.0f} %", *value) : "-";
}

// What DRAM moves per second of the whole time, its launch included, in percent of the peak.
// Nsight's throughput leaves out the launch, and older cards lack it.
std::optional<double> dram_percent(const CardProfile& card) {
  const auto& measured = card.report->measurement;
  const auto read = metric(measured.metrics, "dram__bytes_read.sum");
  const auto written = metric(measured.metrics, "dram__bytes_write.sum");
  if (!read || !written || measured.seconds <= 0 || card.dram_bytes_per_second <= 0) return {};
  return 100 * (*read + *written) / measured.seconds / card.dram_bytes_per_second;
}

std::vector<std::string> card_row(const CardProfile& card) {
  if (!card.report) return {card.device, "-", card.refusal, "", "", ""};
  const auto& report = *card.report;
  if (!report.diagnostics.empty()) {
    return {card.device, "-", std::string(base::name(report.diagnostics.front().kind)), "", "", ""};
  }
  const auto& measured = report.measurement;
  return {card.device,
          text::seconds(measured.seconds) + band_text(report),
          std::string(bound_in_words(measured.bound_by)),
          percent(dram_percent(card)),
          percent(metric(measured.metrics, "sm__throughput.avg.pct_of_peak_sustained_elapsed")),
          fmt::format("{}, limited by {}", base::counted(measured.occupancy.warps_per_sm, "warp"),
                      timing::name(measured.occupancy.limited_by))};
}

std::string aligned(const Rows& rows, std::vector<bool> left, std::size_t indent,
                    const text::Style& style) {
  text::Columns table(std::move(left));
  for (const auto& row : rows) table.add(row);
  for (std::size_t i = 0; !rows.empty() && i < rows.front().size(); ++i) {
    table.colour(0, i, text::Colour::kDim);
  }
  return table.text(indent, style);
}

}  // namespace

Rows card_rows(const std::vector<CardProfile>& cards) {
  Rows out = {{"device", "time", "bound", "fraction of peak", "SM throughput", "occupancy"}};
  for (const auto& card : cards) out.push_back(card_row(card));
  return out;
}

std::string render_text(const std::vector<CardProfile>& cards, const text::Style& style) {
  std::string out;
  std::string faults;
  for (const auto& card : cards) {
    if (!card.report) continue;
    const auto& report = *card.report;
    if (out.empty()) {
      out = fmt::format("{} of {} on {} (simulated)\n",
                        style(text::Colour::kBold, base::escape_controls(report.kernel)),
                        base::escape_controls(report.file), base::counted(cards.size(), "card"));
    }
    // A fault is usually the same on all cards.
    if (!faults.empty()) continue;
    for (const auto& fault : report.diagnostics) {
      const bool is_own = fault.where.file == report.file;
      faults += render_diagnostic(fault, is_own ? report.source : "", style);
    }
    if (!faults.empty()) faults = fmt::format("on {}:\n{}", card.device, faults);
  }
  return out + faults + aligned(card_rows(cards), {true, true, true, false, false, true}, 2, style);
}

ComparedProfile compared(const ProfileReport& report) {
  const auto& measured = report.measurement;
  ComparedProfile out;
  out.kernel = report.kernel;
  out.device = report.device;
  out.file = report.file;
  out.seconds = measured.seconds;
  out.bound_by = bound_in_words(measured.bound_by);
  out.limited_by = timing::name(measured.occupancy.limited_by);
  out.warps_per_sm = measured.occupancy.warps_per_sm;
  out.registers_per_thread = report.resources.registers_per_thread;
  out.shared_bytes = report.resources.static_shared_bytes + report.launch.dynamic_shared_bytes;
  out.metrics = measured.metrics;
  out.roofline = report.roofline;
  for (const auto& line : measured.lines) {
    const auto units = line.operation.space == run::Space::kShared ? line.wavefronts : line.sectors;
    auto& made = out.lines.emplace_back();
    made.number = line.line;
    made.operation = memory::name(line.operation);
    made.text = source_text(line.file, line.line, report.file, report.source);
    made.requests = line.requests;
    if (line.requests > 0) {
      made.per_request = static_cast<double>(units) / static_cast<double>(line.requests);
    }
  }
  return out;
}

namespace {

ProfileRoofline read_roofline(const AnyJson& json, double seconds) {
  const auto level = [](const AnyJson& one) {
    ProfileRoofline::Level out;
    one.at("bytes").get_to(out.bytes);
    if (one.contains("peak")) out.peak = one.at("peak").get<double>();
    return out;
  };
  ProfileRoofline out;
  out.seconds = seconds;
  out.dram = level(json.at("dram"));
  out.l2 = level(json.at("l2"));
  for (const auto& one : json.at("arithmetic")) {
    auto& made = out.operations.emplace_back();
    one.at("kind").get_to(made.kind);
    one.at("operations").get_to(made.count);
    if (one.contains("peak")) made.peak = one.at("peak").get<double>();
  }
  return out;
}

}  // namespace

ComparedProfile read_profile(const std::string& json, const std::string& file) {
  try {
    const auto report = AnyJson::parse(json);
    if (report.at("schema") != "warpgrade.profile/1") {
      throw base::UsageError(fmt::format("--compare {}: its schema is not warpgrade.profile/1",
                                         base::escape_controls(file)));
    }
    ComparedProfile out;
    report.at("kernel").get_to(out.kernel);
    report.at("device").get_to(out.device);
    out.file = file;
    report.at("time").at("seconds").get_to(out.seconds);
    report.at("time").at("bound_by").get_to(out.bound_by);
    report.at("occupancy").at("limited_by").get_to(out.limited_by);
    report.at("occupancy").at("warps_per_sm").get_to(out.warps_per_sm);
    const auto& resources = report.at("resources");
    resources.at("registers_per_thread").get_to(out.registers_per_thread);
    out.shared_bytes = resources.at("static_shared_bytes").get<std::uint64_t>() +
                       resources.at("dynamic_shared_bytes").get<std::uint64_t>();
    for (const auto& [name, value] : report.at("metrics").items()) out.metrics[name] = value;
    if (report.contains("roofline")) {
      out.roofline = read_roofline(report.at("roofline"), out.seconds);
    }
    for (const auto& line : report.at("lines")) {
      auto& made = out.lines.emplace_back();
      line.at("line").get_to(made.number);
      line.at("operation").get_to(made.operation);
      made.text = line.value("text", "");
      line.at("requests").get_to(made.requests);
      const auto* unit = made.operation.starts_with("shared") ? "wavefronts" : "sectors";
      if (made.requests > 0) {
        made.per_request = line.at(unit).get<double>() / static_cast<double>(made.requests);
      }
    }
    return out;
  } catch (const AnyJson::exception&) {
    throw base::UsageError(
        fmt::format("--compare {}: not a report of `profile --json`", base::escape_controls(file)));
  }
}

std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> matched_lines(
    const std::vector<Line>& a, const std::vector<Line>& b) {
  const auto is_same = [&](std::size_t i, std::size_t j) {
    return a[i].operation == b[j].operation && a[i].text == b[j].text;
  };
  // longest[i][j]: common lines of a from i on and b from j on.
  std::vector<std::vector<std::size_t>> longest(a.size() + 1,
                                                std::vector<std::size_t>(b.size() + 1));
  for (auto i = a.size(); i-- > 0;) {
    for (auto j = b.size(); j-- > 0;) {
      longest[i][j] = is_same(i, j) ? longest[i + 1][j + 1] + 1
                                    : std::max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> out;
  std::size_t i = 0;
  std::size_t j = 0;
  // Lines between two common ones: those of the same operation belong together in their order.
  const auto add_gap = [&](std::size_t end_a, std::size_t end_b) {
    std::vector<bool> is_used(end_b - j);
    for (; i < end_a; ++i) {
      std::optional<std::size_t> partner;
      for (auto k = j; k < end_b && !partner; ++k) {
        if (!is_used[k - j] && b[k].operation == a[i].operation) partner = k;
      }
      if (partner) is_used[*partner - j] = true;
      out.emplace_back(i, partner);
    }
    for (std::size_t k = 0; k < is_used.size(); ++k) {
      if (!is_used[k]) out.emplace_back(std::nullopt, j + k);
    }
    j = end_b;
  };
  for (std::size_t p = 0, q = 0; p < a.size() && q < b.size();) {
    if (is_same(p, q)) {
      add_gap(p, q);
      out.emplace_back(i++, j++);
      ++p;
      ++q;
    } else if (longest[p + 1][q] >= longest[p][q + 1]) {
      ++p;
    } else {
      ++q;
    }
  }
  add_gap(a.size(), b.size());
  return out;
}

namespace {

std::string factor(double a, double b) {
  return a > 0 ? fmt::format("{}", ratio_text(b / a)) : "-";
}

// Sums of floats in another order differ in their last digits.
bool is_alike(const std::optional<double>& a, const std::optional<double>& b) {
  constexpr double kRounding = 1e-9;
  if (!a || !b) return a == b;
  return std::abs(*a - *b) <= kRounding * std::max({1.0, std::abs(*a), std::abs(*b)});
}

// How far two values are apart, for the order of rows: a value against 0 is the farthest.
double distance(double a, double b) {
  if (a == b) return 0;
  return a > 0 && b > 0 ? std::abs(std::log(b / a)) : HUGE_VAL;
}

}  // namespace

namespace {

// Rates of the operations that either of them has, and their share of the roof.
void add_rooflines(const ComparedProfile& a, const ComparedProfile& b, Rows& rows) {
  if (!a.roofline || !b.roofline) return;
  std::vector<std::string> kinds;
  for (const auto* one : {&a, &b}) {
    for (const auto& operations : one->roofline->operations) {
      if (std::ranges::find(kinds, operations.kind) == kinds.end()) {
        kinds.push_back(operations.kind);
      }
    }
  }
  for (const auto& kind : kinds) {
    const auto find = [&](const ComparedProfile& one) -> const ProfileRoofline::Operations* {
      const auto& all = one.roofline->operations;
      const auto found = std::ranges::find(all, kind, &ProfileRoofline::Operations::kind);
      return found == all.end() ? nullptr : &*found;
    };
    const auto rate = [&](const ComparedProfile& one) {
      const auto* found = find(one);
      return found == nullptr ? 0 : one.roofline->rate(*found);
    };
    const auto text = [&](const ComparedProfile& one) {
      const auto* found = find(one);
      if (found == nullptr) return std::string("-");
      auto out = rate_text(kind, one.roofline->rate(*found));
      if (const auto share = one.roofline->share(*found)) {
        out += fmt::format(", {} of the roof", ratio_text(*share));
      }
      return out;
    };
    rows.push_back({kind, text(a), text(b), rate(b) > 0 ? factor(rate(a), rate(b)) : "-"});
  }
}

}  // namespace

Rows compared_rows(const ComparedProfile& a, const ComparedProfile& b) {
  Rows out = {{"", "A", "B", "B / A"}};
  out.push_back(
      {"time", text::seconds(a.seconds), text::seconds(b.seconds), factor(a.seconds, b.seconds)});
  out.push_back({"bound", a.bound_by, b.bound_by, ""});
  const auto add_count = [&](const char* name, std::uint64_t of_a, std::uint64_t of_b) {
    out.push_back({name, base::grouped(of_a), base::grouped(of_b),
                   factor(static_cast<double>(of_a), static_cast<double>(of_b))});
  };
  const auto occupancy = [](const ComparedProfile& one) {
    return fmt::format("{}, limited by {}", base::counted(one.warps_per_sm, "warp"),
                       one.limited_by);
  };
  out.push_back({"occupancy", occupancy(a), occupancy(b),
                 factor(static_cast<double>(a.warps_per_sm), static_cast<double>(b.warps_per_sm))});
  add_count("registers per thread", a.registers_per_thread, b.registers_per_thread);
  add_count("shared memory", a.shared_bytes, b.shared_bytes);
  add_rooflines(a, b, out);
  struct Difference {
    std::string name;
    std::optional<double> a;
    std::optional<double> b;
  };
  std::vector<Difference> differences;
  auto names = a.metrics;
  names.insert(b.metrics.begin(), b.metrics.end());
  for (const auto& [name, value] : names) {
    const Difference one = {name, metric(a.metrics, name), metric(b.metrics, name)};
    if (!is_alike(one.a, one.b)) differences.push_back(one);
  }
  std::ranges::stable_sort(differences, std::greater(), [](const Difference& one) {
    return distance(one.a.value_or(0), one.b.value_or(0));
  });
  const auto cell = [](const std::optional<double>& value) {
    return value ? text::number(*value) : std::string("-");
  };
  for (const auto& one : differences) {
    out.push_back({one.name, cell(one.a), cell(one.b),
                   one.a && one.b ? factor(*one.a, *one.b) : std::string("-")});
  }
  return out;
}

Rows compared_lines(const ComparedProfile& a, const ComparedProfile& b) {
  Rows out = {{"line A", "line B", "operation", "requests A", "requests B", "per request A",
               "per request B", "source"}};
  for (const auto& [i, j] : matched_lines(a.lines, b.lines)) {
    const auto* of_a = i ? &a.lines[*i] : nullptr;
    const auto* of_b = j ? &b.lines[*j] : nullptr;
    const auto number = [](const Line* line) {
      return line == nullptr ? std::string("-") : std::to_string(line->number);
    };
    const auto requests = [](const Line* line) {
      return line == nullptr ? std::string("-") : base::grouped(line->requests);
    };
    const auto each = [](const Line* line) {
      return line == nullptr ? std::string("-") : text::number(line->per_request);
    };
    const auto& shown = of_b != nullptr ? *of_b : *of_a;
    const bool is_changed = of_a != nullptr && of_b != nullptr && of_a->text != of_b->text;
    out.push_back({number(of_a), number(of_b), shown.operation, requests(of_a), requests(of_b),
                   each(of_a), each(of_b),
                   is_changed ? fmt::format("{} -> {}", of_a->text, of_b->text) : shown.text});
  }
  return out;
}

std::string render_text(const ComparedProfile& a, const ComparedProfile& b,
                        const text::Style& style) {
  const auto title = [&](const char* letter, const ComparedProfile& one) {
    return fmt::format("{}: {} of {} on {}\n", letter,
                       style(text::Colour::kBold, base::escape_controls(one.kernel)),
                       base::escape_controls(one.file), base::escape_controls(one.device));
  };
  auto out = title("A", a) + title("B", b);
  out += aligned(compared_rows(a, b), {true, false, false, false}, 2, style);
  std::size_t alike = 0;
  for (const auto& [name, value] : a.metrics)
    alike += is_alike(value, metric(b.metrics, name)) ? 1 : 0;
  if (alike != 0) {
    out += fmt::format("  {} alike and not listed\n",
                       alike == 1 ? "1 metric is" : base::counted(alike, "metric") + " are");
  }
  const auto lines = compared_lines(a, b);
  if (lines.size() > 1) {
    out += '\n' + aligned(lines, {false, false, true, false, false, false, false, true}, 2, style);
  }
  return out;
}

}  // namespace warpgrade::grader::report
