// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <span>
#include <sstream>

#include "grader/report/formats/exercise_text.h"
#include "grader/text/markup.h"

namespace warpgrade::grader::report {
namespace {

// safe_text() keeps U+FFFE and U+FFFF, which XML 1.0 forbids; in UTF-8 they are ef bf be and
// ef bf bf.
std::string xml(std::string_view text) {
  constexpr std::string_view kNoCharacter = "\xef\xbf";
  auto out = safe_text(text);
  for (auto at = out.find(kNoCharacter); at != std::string::npos;
       at = out.find(kNoCharacter, at + 1)) {
    if (out.substr(at + 2, 1) == "\xbe") out.replace(at, 3, "\\ufffe");
    if (out.substr(at + 2, 1) == "\xbf") out.replace(at, 3, "\\uffff");
  }
  return out;
}

template <typename Value>
void set(pugi::xml_node node, const char* name, const Value& value) {
  node.append_attribute(name).set_value(fmt::format("{}", value).c_str());
}

void add_verdict(pugi::xml_node test, const ExerciseReport& item) {
  switch (item.verdict) {
    case Verdict::kPass:
      return;
    case Verdict::kInconclusive:
      set(test.append_child("skipped"), "message", xml(missing_grade_text(item)));
      return;
    case Verdict::kError: {
      auto error = test.append_child("error");
      set(error, "type", name(item.reason));
      set(error, "message", xml(missing_grade_text(item)));
      return;
    }
    case Verdict::kFail:
      break;
  }
  auto failure = test.append_child("failure");
  set(failure, "type", name(item.reason));
  set(failure, "message", fmt::format("{} of {} points", item.points, item.max_points));
  failure.text().set(xml(exercise_text(item)).c_str());
}

// Points are properties of the suite: the schema allows none in a test.
void add_property(pugi::xml_node properties, const std::string& name, std::uint32_t value) {
  auto property = properties.append_child("property");
  set(property, "name", xml(name));
  set(property, "value", value);
}

void add_suite(pugi::xml_node suites, std::span<const ExerciseReport> items) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(items, verdict, &ExerciseReport::verdict);
  };
  auto suite = suites.append_child("testsuite");
  set(suite, "name", xml(items.front().lab));
  set(suite, "tests", items.size());
  set(suite, "failures", count(Verdict::kFail));
  set(suite, "errors", count(Verdict::kError));
  set(suite, "skipped", count(Verdict::kInconclusive));
  auto properties = suite.append_child("properties");
  for (const auto& item : items) {
    add_property(properties, item.exercise + ".points", item.points);
    add_property(properties, item.exercise + ".max_points", item.max_points);
  }
  for (const auto& item : items) {
    auto test = suite.append_child("testcase");
    set(test, "classname", xml(item.lab));
    set(test, "name", xml(item.exercise));
    add_verdict(test, item);
  }
}

}  // namespace

std::string render_junit(const Report& report) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  auto suites = document.append_child("testsuites");
  set(suites, "name", "warpgrade");
  const auto& all = report.exercises;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(
        begin, all.end(), [&](const ExerciseReport& item) { return item.lab != begin->lab; });
    add_suite(suites, {begin, end});
    begin = end;
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace warpgrade::grader::report
