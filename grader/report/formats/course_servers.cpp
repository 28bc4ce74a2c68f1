// SPDX-License-Identifier: Apache-2.0
// Reports for course servers and CI services: Autolab, Classroom 50, Gradescope, PrairieLearn,
// and JUnit's XML.
// In: a report. Out: the file or the output that the service reads, with one test per exercise.
// An exercise that could not be judged costs no points if the service can express that. The rules
// of each service are linked above its function.
#include "grader/report/formats/course_servers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/formats/format_parts.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

std::string render_autolab(const Report& report) {
  auto out = report_heading(report) + "\n";
  auto scores = nlohmann::ordered_json::object();
  for (const auto& item : report.exercises) {
    out += '\n';
    if (is_judged(item)) {
      out += exercise_text(item, text_share(report));
      scores[exercise_name(item)] = item.points;
    } else {
      out += exercise_name(item) + ": " + missing_grade_text(item) + "\n";
    }
  }
  return out + '\n' + nlohmann::ordered_json{{"scores", std::move(scores)}}.dump() + '\n';
}

std::string render_classroom50(const Report& report, const Environment& environment) {
  const auto value = [&](const std::string& name, const std::string& otherwise) {
    auto text = safe_text(environment(name));
    return text.empty() ? safe_text(environment(otherwise)) : text;
  };
  auto tests = nlohmann::ordered_json::array();
  std::uint32_t score = 0;
  std::uint32_t most = 0;
  for (const auto& item : report.exercises) {
    const bool judged = is_judged(item);
    const auto points = judged ? item.points : 0;
    const auto max_points = judged ? item.max_points : 0;
    score += points;
    most += max_points;
    tests.push_back({{"test-name", exercise_name(item)},
                     {"passed", item.verdict == Verdict::kPass},
                     {"score", points},
                     {"max-score", max_points},
                     {"output", judged ? exercise_text(item, text_share(report))
                                       : missing_grade_text(item) + "\n"}});
  }
  const auto type = environment("ASSIGNMENT_TYPE");
  return dump_lines({{"schema", "classroom50/result/v1"},
                     {"classroom", value("CLASSROOM", "")},
                     {"assignment", value("ASSIGNMENT", "")},
                     {"assignment_type", type == "group" ? "group" : "individual"},
                     {"owner", value("OWNER", "USERNAME")},
                     {"submission", value("SUBMISSION_TAG", "")},
                     {"commit", value("COMMIT_URL", "")},
                     {"release", value("RELEASE_URL", "")},
                     {"review", value("REVIEW_URL", "COMMIT_URL")},
                     {"datetime", report.provenance.time},
                     {"score", score},
                     {"max-score", most},
                     {"tests", std::move(tests)}});
}

namespace {

nlohmann::ordered_json gradescope_test(const ExerciseReport& item, std::size_t most_bytes) {
  nlohmann::ordered_json out = {{"name", exercise_name(item)}};
  if (is_judged(item)) {
    out["score"] = item.points;
    out["max_score"] = item.max_points;
    out["status"] = item.verdict == Verdict::kPass ? "passed" : "failed";
  }
  out["output"] =
      is_judged(item) ? exercise_text(item, most_bytes) : missing_grade_text(item) + "\n";
  out["output_format"] = "text";
  out["visibility"] = "visible";
  out["extra_data"] = {{"reason", name(item.reason)}, {"sha256", item.sha256}};
  return out;
}

}  // namespace

std::string render_gradescope(const Report& report) {
  auto tests = nlohmann::ordered_json::array();
  std::uint32_t score = 0;
  for (const auto& item : report.exercises) {
    if (is_judged(item)) score += item.points;
    tests.push_back(gradescope_test(item, text_share(report)));
  }
  return dump_lines({{"score", score},
                     {"output", report_heading(report)},
                     {"output_format", "text"},
                     {"visibility", "visible"},
                     {"stdout_visibility", "hidden"},
                     {"tests", std::move(tests)}});
}

namespace {

double share_of_points(const Report& report) {
  if (report.max_points() == 0) return report.exit_code() == 0 ? 1.0 : 0.0;
  return static_cast<double>(report.points()) / report.max_points();
}

}  // namespace

std::string render_prairielearn(const Report& report) {
  auto tests = nlohmann::ordered_json::array();
  auto missing = nlohmann::ordered_json::array();
  for (const auto& item : report.exercises) {
    if (!is_judged(item)) {
      missing.push_back(exercise_name(item) + ": " + missing_grade_text(item));
      continue;
    }
    tests.push_back({{"name", exercise_name(item)},
                     {"points", item.points},
                     {"max_points", item.max_points},
                     {"output", exercise_text(item, text_share(report))}});
  }
  nlohmann::ordered_json out = {{"gradable", missing.empty()}};
  if (missing.empty()) {
    out["score"] = share_of_points(report);
  } else {
    out["format_errors"] = std::move(missing);
  }
  out["message"] = report_heading(report);
  out["tests"] = std::move(tests);
  return dump_lines(out);
}

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

// An empty document with its root.
pugi::xml_node suites_in(pugi::xml_document& document) {
  auto declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  auto suites = document.append_child("testsuites");
  set(suites, "name", "warpgrade");
  return suites;
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace

std::string render_junit(const std::vector<CheckedFile>& files) {
  pugi::xml_document document;
  auto suites = suites_in(document);
  std::map<std::string, std::vector<const CheckedFile*>> by_lab;
  for (const auto& one : files) by_lab[one.lab].push_back(&one);
  for (const auto& [lab, all] : by_lab) {
    auto suite = suites.append_child("testsuite");
    set(suite, "name", xml(lab));
    set(suite, "tests", all.size());
    set(suite, "failures",
        std::ranges::count_if(all, [](const auto* one) { return !one->findings.empty(); }));
    set(suite, "errors", 0);
    set(suite, "skipped", 0);
    for (const auto* one : all) {
      auto test = suite.append_child("testcase");
      set(test, "classname", xml(lab));
      set(test, "name", xml(one->file));
      if (one->findings.empty()) continue;
      auto failure = test.append_child("failure");
      set(failure, "type", "check");
      set(failure, "message", xml(one->findings.front()));
      failure.text().set(xml(fmt::format("{}", fmt::join(one->findings, "\n"))).c_str());
    }
  }
  return text_of(document);
}

std::string render_junit(const Report& report) {
  pugi::xml_document document;
  auto suites = suites_in(document);
  const auto& all = report.exercises;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(
        begin, all.end(), [&](const ExerciseReport& item) { return item.lab != begin->lab; });
    add_suite(suites, {begin, end});
    begin = end;
  }
  return text_of(document);
}

}  // namespace warpgrade::grader::report
