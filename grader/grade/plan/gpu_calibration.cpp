// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/gpu_calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/base/error.h"
#include "common/measure/comparison.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::grade {
namespace {

struct WaiverText {
  std::string operator()(const report::TooLittleMemory& /*waiver*/) const {
    return "its memory has no room for a size that its caches do not hold";
  }
  std::string operator()(const report::NearBound& waiver) const {
    return fmt::format("the course's own solution reached {:.3f} to {:.3f} at a bound of {} ({})",
                       waiver.low, waiver.high, text::number(waiver.bound), waiver.date);
  }
  std::string operator()(const report::UnknownShare& waiver) const {
    return fmt::format(
        "its bound would be a share of the fraction that the course's own solution reaches here, "
        "which is unknown ({})",
        waiver.trouble.empty() ? "case " + waiver.case_name : waiver.trouble);
  }
};

}  // namespace

std::string waiver_text(const report::Waiver& waiver, const std::string& gate) {
  return fmt::format("gate {} is waived on this card: {}", gate, std::visit(WaiverText(), waiver));
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "warpgrade.card/1";
/// Fraction of a bound by which a solution must be better, so that it passes on another day, too.
constexpr double kRoom = 0.02;
/// Intervals are widened by kDeviations standard deviations between processes, and at least by
/// kLeastFloor: only a few processes determine the deviation.
constexpr double kDeviations = 4;
constexpr double kLeastFloor = 0.005;

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::optional<double> optional(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

Json json_of(const SolutionOnGpu& one) {
  return {{"exercise", one.exercise}, {"gate", one.gate},        {"case", one.case_name},
          {"value", one.value},       {"low", one.low},          {"high", one.high},
          {"min", optional(one.min)}, {"max", optional(one.max)}};
}

SolutionOnGpu solution_from(const Json& json) {
  SolutionOnGpu one;
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

std::string to_json(const GpuCalibration& calibration) {
  auto solutions = Json::array();
  for (const auto& one : calibration.solutions) solutions.push_back(json_of(one));
  const Json json = {{"schema", kSchema},
                     {"device", calibration.device},
                     {"driver", calibration.driver},
                     {"date", calibration.date},
                     {"copy_bytes", calibration.copy_bytes},
                     {"copy_bytes_per_second", calibration.copy_bytes_per_second},
                     {"memcpy_bytes_per_second", calibration.memcpy_bytes_per_second},
                     {"datasheet_bytes_per_second", calibration.datasheet_bytes_per_second},
                     {"within", calibration.within},
                     {"between", calibration.between},
                     {"launch_seconds", calibration.launch_seconds},
                     {"solutions", std::move(solutions)}};
  return json.dump(2) + '\n';
}

std::optional<GpuCalibration> calibration_from_json(std::string_view text) {
  try {
    const auto json = Json::parse(text);
    if (json.at("schema") != kSchema) return std::nullopt;
    GpuCalibration calibration;
    calibration.device = json.at("device");
    calibration.driver = json.at("driver");
    calibration.date = json.at("date");
    calibration.copy_bytes = json.at("copy_bytes");
    calibration.copy_bytes_per_second = json.at("copy_bytes_per_second");
    calibration.memcpy_bytes_per_second = json.at("memcpy_bytes_per_second");
    calibration.datasheet_bytes_per_second = json.at("datasheet_bytes_per_second");
    calibration.within = json.at("within");
    calibration.between = json.at("between");
    calibration.launch_seconds = json.at("launch_seconds");
    for (const auto& one : json.at("solutions"))
      calibration.solutions.push_back(solution_from(one));
    return calibration;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::filesystem::path calibration_file(const std::string& device, const std::string& driver) {
  return text::cache_folder() / fmt::format("{}_{}.json", file_part(device), file_part(driver));
}

std::optional<GpuCalibration> read_calibration(const std::filesystem::path& file) {
  try {
    return calibration_from_json(text::read_file(file, file.string()));
  } catch (const base::UsageError&) {
    return std::nullopt;
  }
}

double noise_floor(const std::optional<GpuCalibration>& calibration) {
  if (!calibration) return measure::StoppingOptions().floor;
  return std::max(kLeastFloor, kDeviations * calibration->between);
}

std::optional<report::NearBound> waiver_of(const GpuCalibration& calibration,
                                           const std::string& exercise, const std::string& gate) {
  for (const auto& one : calibration.solutions) {
    if (one.exercise != exercise || one.gate != gate) continue;
    const bool clears = (!one.min || one.low >= *one.min * (1 + kRoom)) &&
                        (!one.max || one.high <= *one.max * (1 - kRoom));
    if (clears) continue;
    return report::NearBound{one.low, one.high, one.min ? *one.min : *one.max, calibration.date};
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::grade
