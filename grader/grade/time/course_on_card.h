// SPDX-License-Identifier: Apache-2.0
// The speed of the course's own solution and skeleton on this machine's GPU, kept from one run of
// the program to the next.
// In: an exercise with a bound that is a share of the solution's speed. Out: values as fractions
// of copy, measured in the same way as a submission.
// They are measured once per card, driver, toolkit, program and course, so that all grades on the
// card have the same bounds. A class measures them before it grades and gives them to its judges.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

// Numbers of one GPU that grades on it depend on, besides the submission: its calibration, and the
// speed of the course's own files.
//
// A class measures them before it grades. Its judges cannot: the sandbox hides the solutions and
// the user's cache from a submission.

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

// Speeds of the course's own files on GPUs, kept from one run of the program to the next.
//
// A bound that is a share of the solution's speed must not change from grade to grade. So the
// solution is measured once per card, driver, toolkit, program and course, and the file in the
// user's cache has the result. Delete the file to measure again.

/// Identifies kept values.
struct CourseOnCardKey {
  std::string card;      ///< Device and driver.
  std::string course;    ///< manifest_hash() of the lab.
  std::string exercise;  ///< "LAB/EXERCISE".
};

class KeptCourseValues {
 public:
  /// Keeps nothing.
  KeptCourseValues() = default;
  /// Values that were written with other `services` (program and toolkit) do not count.
  KeptCourseValues(std::filesystem::path file, std::string services)
      : file_(std::move(file)), services_(std::move(services)) {}

  /// Reads the file, which other processes may have written.
  std::optional<CourseValues> find(const CourseOnCardKey& key) const;
  /// Ignores a failure to write.
  void keep(const CourseOnCardKey& key, const CourseValues& values) const;

 private:
  std::filesystem::path file_;
  std::string services_;
};

/// The file in the user's cache, for this program and toolkit; keeps nothing if the user has no
/// home or no compiler exists.
KeptCourseValues stored_course_values();

class CourseOnCard {
 public:
  /// `services` have a GPU and outlive this. `card` names device and driver among the values that
  /// `open_kept` opens when the first one is needed.
  explicit CourseOnCard(
      const GradingServices& services, std::string card = {},
      std::function<KeptCourseValues()> open_kept = [] { return KeptCourseValues(); })
      : services_(services), card_(std::move(card)), open_kept_(std::move(open_kept)) {}

  /// Uses these values, by "LAB/EXERCISE", instead of measuring.
  void use(std::map<std::string, CourseValues> values) { given_ = std::move(values); }

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

}  // namespace warpgrade::grader::grade
