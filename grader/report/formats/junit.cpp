// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_junit.h"

#include <fmt/format.h>

#include <vector>

#include "common/base/text.h"
#include "grader/report/render_text.h"

namespace warpgrade::grader {
namespace {

// Text for an attribute or between tags: control characters and bytes that are no UTF-8 are written
// as \xNN first, since XML has no way to write them.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : base::escape_controls(text, /*keep_newlines=*/true)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// The report of one exercise alone, as a terminal shows it.
std::string text_of(const ExerciseReport& item) {
  Report alone;
  alone.exercises = {item};
  const auto text = render_text(alone, Style());
  return text.substr(text.find("\n\n") + 2);  // without the line on all exercises
}

std::string verdict_element(const ExerciseReport& item) {
  switch (item.verdict) {
    case Verdict::kPass:
      return "";
    case Verdict::kInconclusive:
      return "      <skipped message=\"not decided: grade it again on a quiet machine\"/>\n";
    case Verdict::kError:
      return fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", name(item.reason),
                         xml(item.tool_trouble));
    case Verdict::kFail:
      break;
  }
  return fmt::format("      <failure type=\"{}\" message=\"{} of {} points\">{}</failure>\n",
                     name(item.reason), item.points, item.max_points, xml(text_of(item)));
}

std::string test_case(const ExerciseReport& item) {
  return fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\">\n"
      "      <properties>\n"
      "        <property name=\"points\" value=\"{}\"/>\n"
      "        <property name=\"max_points\" value=\"{}\"/>\n"
      "      </properties>\n"
      "{}    </testcase>\n",
      xml(item.lab), xml(item.exercise), item.points, item.max_points, verdict_element(item));
}

std::size_t count(const std::vector<const ExerciseReport*>& items, Verdict verdict) {
  std::size_t out = 0;
  for (const auto* item : items) out += item->verdict == verdict ? 1 : 0;
  return out;
}

std::string suite(const std::vector<const ExerciseReport*>& items) {
  auto out = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
      xml(items.front()->lab), items.size(), count(items, Verdict::kFail),
      count(items, Verdict::kError), count(items, Verdict::kInconclusive));
  for (const auto* item : items) out += test_case(*item);
  return out + "  </testsuite>\n";
}

}  // namespace

std::string render_junit(const Report& report) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpgrade\">\n";
  std::vector<const ExerciseReport*> lab;
  for (const auto& item : report.exercises) {
    if (!lab.empty() && lab.front()->lab != item.lab) {
      out += suite(lab);
      lab.clear();
    }
    lab.push_back(&item);
  }
  if (!lab.empty()) out += suite(lab);
  return out + "</testsuites>\n";
}

}  // namespace warpgrade::grader
