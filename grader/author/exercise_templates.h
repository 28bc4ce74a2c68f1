// SPDX-License-Identifier: Apache-2.0
// The text of grader/author/templates and of labs/gates.toml, which the build embeds.
//
// Templates contain the words LAB, EXERCISE, REFERENCE and CALL as placeholders for names.
#pragma once

#include <string_view>

namespace warpgrade::grader::author {

struct ExerciseTemplates {
  std::string_view lab;       ///< Head of a new grader.toml.
  std::string_view exercise;  ///< Entry of a grader.toml.
  std::string_view skeleton;
  std::string_view reference;
  std::string_view solution;
  std::string_view wrong;
  std::string_view gates;  ///< The course's presets.
};

ExerciseTemplates exercise_templates();

}  // namespace warpgrade::grader::author
