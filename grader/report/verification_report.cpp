// SPDX-License-Identifier: Apache-2.0
#include "grader/report/verification_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "grader/report/render_measurements.h"
#include "grader/report/render_text.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

std::string_view name(Equivalence verdict) {
  static constexpr std::array<std::string_view, 3> kNames = {"equal", "different", "undecided"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

namespace {

std::string in_words(const VerifiedCase& one) {
  return fmt::format("{}{}inputs {}", text::in_words(one.sizes), one.sizes.empty() ? "" : ", ",
                     one.inputs);
}

// "height 1 to 300, width 1 to 300; inputs any_bits, distinct": the extent of what was compared.
std::string covered(const std::vector<VerifiedCase>& cases) {
  std::map<std::string, std::pair<double, double>> ranges;
  std::set<std::string> inputs;
  for (const auto& one : cases) {
    inputs.insert(one.inputs);
    for (const auto& [name, value] : one.sizes) {
      auto& range = ranges.try_emplace(name, value, value).first->second;
      range = {std::min(range.first, value), std::max(range.second, value)};
    }
  }
  std::string out;
  for (const auto& [name, range] : ranges) {
    out += fmt::format("{}{} {} to {}", out.empty() ? "" : ", ", name, text::number(range.first),
                       text::number(range.second));
  }
  const std::vector<std::string> kinds(inputs.begin(), inputs.end());
  return fmt::format("{}{}inputs {}", out, out.empty() ? "" : "; ", text::joined(kinds));
}

// The counters that differ or are not zero, with the times first.
std::string side_by_side(const VerificationReport& report) {
  const auto& old = report.old.measured;
  const auto& fresh = report.fresh.measured;
  text::Columns table({true});
  table.add({"", "old", "new", "new / old"});
  const auto add = [&](const std::string& what, const std::string& a, const std::string& b,
                       double before, double after) {
    table.add({what, a, b, before > 0 ? ratio_text(after / before) : "-"});
  };
  add("modelled time", text::seconds(old.seconds), text::seconds(fresh.seconds), old.seconds,
      fresh.seconds);
  table.add({"bound by", std::string(bound_in_words(old.bound_by)),
             std::string(bound_in_words(fresh.bound_by)), ""});
  const auto registers = [](const VerifiedKernel& one) {
    return static_cast<double>(one.resources.registers_per_thread);
  };
  add("registers per thread", text::number(registers(report.old)),
      text::number(registers(report.fresh)), registers(report.old), registers(report.fresh));
  for (const auto& [name, before] : old.metrics) {
    const auto found = fresh.metrics.find(name);
    if (found == fresh.metrics.end() || (before == 0 && found->second == 0)) continue;
    add(name, text::number(before), text::number(found->second), before, found->second);
  }
  auto out = fmt::format("\n  at {} on {}:\n", text::in_words(*report.measured_at), report.device) +
             table.text(2, text::Style());
  for (const auto* one : {&old, &fresh}) {
    out += text::wrapped(inexact_time_text(one->unmodelled), 2);
  }
  return out;
}

text::Colour colour_of(Equivalence verdict) {
  if (verdict == Equivalence::kEqual) return text::Colour::kGreen;
  return verdict == Equivalence::kDifferent ? text::Colour::kRed : text::Colour::kYellow;
}

}  // namespace

std::string render_text(const VerificationReport& report, const text::Style& style) {
  const auto shown = [](const VerifiedKernel& one) {
    return fmt::format("{}{}{}", base::escape_controls(one.signature),
                       one.signature.empty() ? "" : " of ", base::escape_controls(one.file));
  };
  auto out = fmt::format("{}\n  new  {}\n  old  {}\n",
                         style(colour_of(report.verdict), name(report.verdict)),
                         shown(report.fresh), shown(report.old));
  if (!report.cases.empty()) {
    out +=
        fmt::format("  compared  {} on {}: {}; {}\n", base::counted(report.cases.size(), "case"),
                    report.device, covered(report.cases),
                    report.tolerance.empty() ? "every bit" : "floats within " + report.tolerance);
  }
  if (!report.why.empty()) out += text::wrapped(base::escape_controls(report.why), 2);
  if (const auto& found = report.counterexample) {
    out += fmt::format("  smallest case  {}{}\n", in_words(found->at),
                       found->in_other_order ? ", in another order of warps and blocks" : "");
    if (found->difference) {
      out += text::wrapped(
          "(expected: the old kernel; got: the new one) " + found->difference->text, 2);
    }
    out += "  show it again:\n    " + base::escape_controls(found->command) + '\n';
  }
  for (const auto* all : {&report.diagnostics, &report.warnings}) {
    for (const auto& one : *all) {
      const auto& owner = one.where.file == report.old.file ? report.old : report.fresh;
      out += render_diagnostic(one, one.where.file == owner.file ? owner.source : "", style);
    }
  }
  if (report.measured_at) out += side_by_side(report);
  if (report.verdict == Equivalence::kEqual) {
    out += text::wrapped(
        "Equal means: no difference in these cases. A kernel that changes its way at a size or a "
        "value that none of them has can still differ.",
        2);
  }
  return out;
}

}  // namespace warpgrade::grader::report
