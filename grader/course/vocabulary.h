// SPDX-License-Identifier: Apache-2.0
// The names that a manifest may use: metrics, devices, presets of gates.
//
// The program fills it from the course and the profiles (course.h). Tests make their own, so
// reading a manifest needs no simulator.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpgrade::grader::course {

class GatePresets;

struct Vocabulary {
  std::vector<std::string> metrics;
  std::vector<std::string> devices;
  std::map<std::string, std::string> cards = {};         ///< "h200" -> "the H200": for texts.
  std::shared_ptr<const GatePresets> presets = nullptr;  ///< The course's.
};

}  // namespace warpgrade::grader::course
