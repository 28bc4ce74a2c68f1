// SPDX-License-Identifier: Apache-2.0
#include "grader/calibration_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/measure/stopping_rule.h"
#include "grader/files.h"
#include "grader/terminal.h"

namespace warpgrade::grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "warpgrade.card/1";
/// Of a bound, that a solution must be better than it: a card that is as good on another day.
constexpr double kRoom = 0.02;
/// Standard deviations between processes that an interval is widened by, and the least of it: the
/// deviation is known from a few processes only.
constexpr double kDeviations = 4;
constexpr double kLeastFloor = 0.005;

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::optional<double> optional(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

Json json_of(const SolutionOnCard& one) {
  return {{"exercise", one.exercise}, {"gate", one.gate},        {"case", one.case_name},
          {"value", one.value},       {"low", one.low},          {"high", one.high},
          {"min", optional(one.min)}, {"max", optional(one.max)}};
}

SolutionOnCard solution_from(const Json& json) {
  SolutionOnCard one;
  one.exercise = json.at("exercise");
  one.gate = json.at("gate");
  one.case_name = json.at("case");
  one.value = json.at("value");
  one.low = json.at("low");
  one.high = json.at("high");
  one.min = optional(json.at("min"));
  one.max = optional(json.at("max"));
  return one;
}

// Letters, digits and dots; anything else in a name becomes a dash.
std::string file_part(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '.'; },
      '-');
  return text;
}

}  // namespace

std::string to_json(const CalibrationCard& card) {
  auto solutions = Json::array();
  for (const auto& one : card.solutions) solutions.push_back(json_of(one));
  const Json json = {{"schema", kSchema},
                     {"device", card.device},
                     {"driver", card.driver},
                     {"date", card.date},
                     {"copy_bytes", card.copy_bytes},
                     {"copy_bytes_per_second", card.copy_bytes_per_second},
                     {"memcpy_bytes_per_second", card.memcpy_bytes_per_second},
                     {"datasheet_bytes_per_second", card.datasheet_bytes_per_second},
                     {"within", card.within},
                     {"between", card.between},
                     {"launch_seconds", card.launch_seconds},
                     {"solutions", std::move(solutions)}};
  return json.dump(2) + '\n';
}

std::optional<CalibrationCard> card_from_json(std::string_view text) {
  try {
    const auto json = Json::parse(text);
    if (json.at("schema") != kSchema) return std::nullopt;
    CalibrationCard card;
    card.device = json.at("device");
    card.driver = json.at("driver");
    card.date = json.at("date");
    card.copy_bytes = json.at("copy_bytes");
    card.copy_bytes_per_second = json.at("copy_bytes_per_second");
    card.memcpy_bytes_per_second = json.at("memcpy_bytes_per_second");
    card.datasheet_bytes_per_second = json.at("datasheet_bytes_per_second");
    card.within = json.at("within");
    card.between = json.at("between");
    card.launch_seconds = json.at("launch_seconds");
    for (const auto& one : json.at("solutions")) card.solutions.push_back(solution_from(one));
    return card;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::filesystem::path card_file(const std::string& device, const std::string& driver) {
  return cache_folder() / fmt::format("{}_{}.json", file_part(device), file_part(driver));
}

std::optional<CalibrationCard> read_card(const std::filesystem::path& file) {
  try {
    return card_from_json(read_file(file, file.string()));
  } catch (const base::UsageError&) {
    return std::nullopt;
  }
}

double noise_floor(const std::optional<CalibrationCard>& card) {
  if (!card) return measure::StoppingOptions().floor;
  return std::max(kLeastFloor, kDeviations * card->between);
}

std::string why_waived(const CalibrationCard& card, const std::string& exercise,
                       const GateResult& gate) {
  for (const auto& one : card.solutions) {
    if (one.exercise != exercise || one.gate != gate.id) continue;
    const bool clears = (!one.min || one.low >= *one.min * (1 + kRoom)) &&
                        (!one.max || one.high <= *one.max * (1 - kRoom));
    if (clears) continue;
    return fmt::format(
        "gate {} is given to everybody on this card: the course's own solution reached {:.3f} to "
        "{:.3f} at a bound of {} ({})",
        gate.id, one.low, one.high, number(one.min ? *one.min : *one.max), card.date);
  }
  return {};
}

}  // namespace warpgrade::grader
