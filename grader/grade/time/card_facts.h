// SPDX-License-Identifier: Apache-2.0
// Numbers of one GPU that grades on it depend on, besides the submission: its calibration, and the
// speed of the course's own files.
//
// A class measures them before it grades. Its judges cannot: the sandbox hides the solutions and
// the user's cache from a submission.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/plan/course_values.h"

namespace warpgrade::grader::grade {

struct CardFacts {
  std::string device;       ///< "NVIDIA H200".
  std::string driver;       ///< "580.159.04"; empty if unknown.
  std::string calibration;  ///< JSON of gpu_calibration.h; empty if the card is not calibrated.
  /// By "LAB/EXERCISE": exercises that have a bound as a share of the solution's value.
  std::map<std::string, CourseValues> course;
};

std::string to_json(const CourseValues& values);
/// Returns nullopt if `text` is not a CourseValues.
std::optional<CourseValues> course_values_from_json(std::string_view text);

std::string to_json(const std::vector<CardFacts>& cards);
/// Returns an empty list if `text` is not a list of CardFacts.
std::vector<CardFacts> card_facts_from_json(std::string_view text);

}  // namespace warpgrade::grader::grade
