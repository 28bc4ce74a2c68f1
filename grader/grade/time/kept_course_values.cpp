// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/kept_course_values.h"

#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/sha256.h"
#include "common/compile/toolkit.h"
#include "common/compile/toolkit_version.h"
#include "grader/grade/time/card_facts.h"
#include "grader/text/files.h"

namespace warpgrade::grader::grade {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCourseValuesSchema = "warpgrade.course_on_card/1";

Json read_kept(const std::filesystem::path& file, const std::string& services) {
  try {
    auto out = Json::parse(text::read_file(file, file.string()));
    if (out.at("schema") == kCourseValuesSchema && out.at("services") == services) return out;
  } catch (const base::UsageError&) {
  } catch (const Json::exception&) {
  }
  return {{"schema", kCourseValuesSchema}, {"services", services}, {"cards", Json::object()}};
}

}  // namespace

std::optional<CourseValues> KeptCourseValues::find(const CourseOnCardKey& key) const {
  if (file_.empty()) return std::nullopt;
  try {
    const auto kept = read_kept(file_, services_);
    return course_values_from_json(
        kept.at("cards").at(key.card).at(key.course).at(key.exercise).dump());
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void KeptCourseValues::keep(const CourseOnCardKey& key, const CourseValues& values) const {
  if (file_.empty()) return;
  try {
    auto kept = read_kept(file_, services_);
    kept["cards"][key.card][key.course][key.exercise] = Json::parse(to_json(values));
    text::write_if_possible(file_, kept.dump(2) + '\n');
  } catch (const Json::exception&) {  // Keeps a damaged file until another program replaces it.
  }
}

KeptCourseValues stored_course_values() {
  const auto folder = text::cache_folder();
  if (!folder.is_absolute()) return {};
  try {
    auto services = base::sha256_hex(text::read_file("/proc/self/exe", "the program")) + ' ' +
                    compile::toolkit_version(compile::find_toolkit().library);
    return {folder / "course_on_card.json", std::move(services)};
  } catch (const base::ToolError&) {
  } catch (const base::UsageError&) {
  }
  return {};
}

}  // namespace warpgrade::grader::grade
