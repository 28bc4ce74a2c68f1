// SPDX-License-Identifier: Apache-2.0
// Real services for grading: the compiler, the simulator, and the GPU on request.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "common/run/runner.h"
#include "grader/cases/reference.h"
#include "grader/cases/work_ahead.h"
#include "grader/course/course.h"
#include "grader/grade/execute/profiled_launches.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/time/copy_times.h"
#include "grader/grade/time/course_on_card.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

class GradingSession {
 public:
  /// Without a `backend`, a GPU is used if present. `device` is a profile's name, "gpu" for the
  /// GPU's gates alone, or empty for all devices of the gates. Throws base::ToolError if a
  /// requested GPU is missing, base::UsageError if the profile does not exist. `calibration`
  /// describes the noise of a GPU; the default is the stored one. `gpu` is the driver's number of
  /// the GPU.
  GradingSession(std::optional<run::Backend> backend, const std::string& device, std::uint64_t seed,
                 std::optional<GpuCalibration> calibration = {}, std::optional<int> gpu = {});
  ~GradingSession();

  /// Grades all of `tasks` in order; compilations run ahead. With `counters` the report also has
  /// the GPU's own counters if there is a GPU; with `pictures` it has pictures. Calls `progress`,
  /// if set, for each exercise and case.
  report::Report grade(const std::vector<GradingTask>& tasks, bool counters = false,
                       bool pictures = false,
                       const std::function<void(const GradingProgress&)>& progress = {});

  /// Prepares what submissions for the exercise have in common; call it before each. No thread and
  /// no process on the GPU is left afterwards, so this process may fork and call grade() in each
  /// child.
  void warm(const course::Lab& lab, const course::Exercise& exercise);
  /// Computes and keeps the right results of small cases, on the GPU as well; likewise.
  void work_out_results(const course::Lab& lab, const course::Exercise& exercise);

  /// The numbers that grades on this GPU depend on, for all exercises of `course`; measures those
  /// that are not known. Requires a GPU.
  CardFacts card_facts(const course::Course& course);
  /// Uses the speeds of the course's files in `facts`, and measures none. The calibration is the
  /// constructor's.
  void use(const CardFacts& facts);

  /// "NVIDIA H200"; empty without a GPU.
  const std::string& card() const { return card_; }

 private:
  measure::SimBench& sim(const std::string& device);
  /// Remarks for the reader on how it was graded on the GPU.
  std::vector<std::string> notes() const;

  /// Profiles the launches that the exercise asks about.
  void warm_answers(const course::Lab& lab, const course::QuestionsExercise& exercise);
  /// Compiles the course's own programs for the GPU.
  void warm_card(const course::Lab& lab, const course::KernelExercise& exercise);
  /// Ends the processes that use the GPU.
  void rest_card();
  void open_card(std::optional<run::Backend> backend, std::optional<int> gpu);
  GradingServices make_services();
  /// Stores all known times of copies.
  void keep_copies();

  std::string device_;
  std::uint64_t seed_;
  cases::Compilations compilations_;      // For submissions.
  cases::Compilations own_compilations_;  // For the course's own references.
  CopyTimes copy_times_;
  CopiesAhead copies_ahead_;
  std::map<std::string, std::unique_ptr<measure::SimBench>> sims_;
  std::optional<GpuCalibration> calibration_;
  std::unique_ptr<measure::GpuBench> gpu_;
  std::unique_ptr<gpu::GpuRunner> gpu_runner_;  // The reference's.
  std::unique_ptr<cases::Reference> sim_reference_;
  std::unique_ptr<cases::Reference> gpu_reference_;
  GradingServices services_;  ///< grade() adds its caller's options.
  std::unique_ptr<ProfiledLaunches> profiled_launches_;
  std::unique_ptr<CourseOnCard> course_on_card_;
  std::vector<std::string> card_remarks_;
  std::string card_;
  std::string driver_;
};

/// The folder of the course's compiled references in the user's cache; empty if the user has no
/// home.
std::filesystem::path compiled_folder();

/// The work for one exercise: the student's file, or the course's solution.
GradingTask student_task(const course::Course& course, const course::Selected& selected);
GradingTask solution_task(const course::Course& course, const course::Selected& selected);
GradingTask file_task(const course::Course& course, const course::Selected& selected,
                      const std::filesystem::path& file);
/// A submission that is a folder. `file` is the path of its file; empty: the exercise's own file
/// name in it, or LAB/ and that name. Throws base::UsageError if the file does not exist.
GradingTask folder_task(const course::Course& course, const course::Selected& selected,
                        const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace warpgrade::grader::grade
