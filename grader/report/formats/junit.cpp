// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/junit.h"

#include <fmt/format.h>

#include <vector>

#include "grader/report/formats/exercise_text.h"
#include "grader/text/markup.h"

namespace warpgrade::grader {
namespace {

// Text for an attribute or between tags. safe_text() keeps U+FFFE and U+FFFF, which XML 1.0
// forbids; in UTF-8 they are ef bf be and ef bf bf.
std::string xml(std::string_view text) {
  constexpr std::string_view kNoCharacter = "\xef\xbf";
  std::string out;
  const auto safe = safe_text(text);
  for (std::size_t i = 0; i < safe.size(); ++i) {
    if (std::string_view(safe).substr(i, 2) == kNoCharacter && i + 2 < safe.size() &&
        (safe[i + 2] == '\xbe' || safe[i + 2] == '\xbf')) {
      out += safe[i + 2] == '\xbe' ? "\\ufffe" : "\\uffff";
      i += 2;
      continue;
    }
    out += safe[i];
  }
  return escape_markup(out);
}

std::string verdict_element(const ExerciseReport& item) {
  switch (item.verdict) {
    case Verdict::kPass:
      return "";
    case Verdict::kInconclusive:
      return fmt::format("      <skipped message=\"{}\"/>\n", xml(missing_grade_text(item)));
    case Verdict::kError:
      return fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", name(item.reason),
                         xml(missing_grade_text(item)));
    case Verdict::kFail:
      break;
  }
  return fmt::format("      <failure type=\"{}\" message=\"{} of {} points\">{}</failure>\n",
                     name(item.reason), item.points, item.max_points, xml(exercise_text(item)));
}

std::string test_case(const ExerciseReport& item) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n",
                     xml(item.lab), xml(item.exercise), verdict_element(item));
}

// The points, as properties of the suite: the schema allows none in a test.
std::string points_properties(const std::vector<const ExerciseReport*>& items) {
  std::string out = "    <properties>\n";
  const auto add = [&](const ExerciseReport& item, std::string_view name, std::uint32_t value) {
    out += fmt::format("      <property name=\"{}.{}\" value=\"{}\"/>\n", xml(item.exercise), name,
                       value);
  };
  for (const auto* item : items) {
    add(*item, "points", item->points);
    add(*item, "max_points", item->max_points);
  }
  return out + "    </properties>\n";
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
  out += points_properties(items);
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
