// SPDX-License-Identifier: Apache-2.0
// Measures the speed of the course's own solution and skeleton of an exercise on this machine's
// GPU.
//
// A gate on speed has no number for a card that the course's authors did not have. Its bound is
// then a share of the solution's speed there, and the skeleton's value shows whether passing means
// anything. Both are measured in the same way as a submission: every launch is checked, and a wrong
// one has no value. Values are kept (kept_course_values.h), so that all grades on the card have the
// same bounds. The student's copy of a course has no solutions. A judge of a class sees none
// either; it is given the values.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "grader/grade/plan/course_values.h"
#include "grader/grade/plan/grading_services.h"
#include "grader/grade/time/kept_course_values.h"

namespace warpgrade::grader::grade {

class CourseOnCard {
 public:
  /// `services` have a GPU and outlive this. `card` names device and driver among the values that
  /// `open_kept` opens when the first one is needed.
  explicit CourseOnCard(
      const GradingServices& services, std::string card = {},
      std::function<KeptCourseValues()> open_kept = [] { return KeptCourseValues(); })
      : services_(services), card_(std::move(card)), open_kept_(std::move(open_kept)) {}

  /// Uses these values, by "LAB/EXERCISE", instead of measuring.
  void give(std::map<std::string, CourseValues> values) { given_ = std::move(values); }

  /// The values for the exercise of `task`. They are kept, so further calls are free.
  const CourseValues& of(const GradingTask& task);

  /// Whether a bound of the exercise on this card is a share of the solution's value.
  bool is_needed(const course::Lab& lab, const course::Exercise& exercise,
                 const GpuCalibration* calibration) const;

 private:
  CourseValues measured(const GradingTask& task) const;
  CaseFractions fractions(const GradingTask& task, std::string& trouble) const;

  const GradingServices& services_;
  std::string card_;
  std::function<KeptCourseValues()> open_kept_;
  std::optional<KeptCourseValues> kept_;
  std::optional<std::map<std::string, CourseValues>> given_;
  std::map<const course::Exercise*, CourseValues> known_;
};

/// The path of the course's solution of an exercise, beside its lab's folder.
std::filesystem::path solution_file(const course::Lab& lab, const course::Exercise& exercise);

}  // namespace warpgrade::grader::grade
