// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/card_facts.h"

#include <nlohmann/json.hpp>

namespace warpgrade::grader::grade {
namespace {

using Json = nlohmann::ordered_json;

Json facts_json(const CaseFractions& fractions) {
  auto out = Json::object();
  for (const auto& [name, one] : fractions) out[name] = {one.value, one.low, one.high};
  return out;
}

CaseFractions fractions_from(const Json& json) {
  CaseFractions out;
  for (const auto& [name, one] : json.items()) {
    out.emplace(name, report::MeasuredInterval(one.at(0), one.at(1), one.at(2)));
  }
  return out;
}

Json facts_json(const CourseValues& values) {
  return {{"solution", facts_json(values.solution)},
          {"skeleton", facts_json(values.skeleton)},
          {"trouble", values.trouble}};
}

CourseValues values_from(const Json& json) {
  return {fractions_from(json.at("solution")), fractions_from(json.at("skeleton")),
          json.at("trouble")};
}

}  // namespace

std::string to_json(const CourseValues& values) { return facts_json(values).dump(); }

std::optional<CourseValues> course_values_from_json(std::string_view text) {
  try {
    return values_from(Json::parse(text));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string to_json(const std::vector<CardFacts>& cards) {
  auto out = Json::array();
  for (const auto& card : cards) {
    auto course = Json::object();
    for (const auto& [exercise, values] : card.course) course[exercise] = facts_json(values);
    out.push_back({{"device", card.device},
                   {"driver", card.driver},
                   {"calibration", card.calibration},
                   {"course", std::move(course)}});
  }
  return out.dump();
}

std::vector<CardFacts> card_facts_from_json(std::string_view text) {
  std::vector<CardFacts> out;
  try {
    for (const auto& json : Json::parse(text)) {
      CardFacts card{json.at("device"), json.at("driver"), json.at("calibration"), {}};
      for (const auto& [exercise, values] : json.at("course").items()) {
        card.course.emplace(exercise, values_from(values));
      }
      out.push_back(std::move(card));
    }
  } catch (const Json::exception&) {
    return {};
  }
  return out;
}

}  // namespace warpgrade::grader::grade
