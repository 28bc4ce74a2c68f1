// SPDX-License-Identifier: Apache-2.0
#include "grader/author/exercise_templates.h"

#include "grader/author/template_files.h"

namespace warpgrade::grader::author {
namespace {

// Strips the licence, since an instructor's files have one of their own.
consteval std::string_view template_of(std::string_view name) {
  return base::embedded(kTemplateFiles, name).body();
}

}  // namespace

ExerciseTemplates exercise_templates() {
  return {template_of("lab.toml"),
          template_of("exercise.toml"),
          template_of("skeleton.cu"),
          template_of("reference.cu"),
          template_of("solution.cu"),
          template_of("wrong.cu"),
          base::embedded(kTemplateFiles, "gates.toml").text};
}

}  // namespace warpgrade::grader::author
