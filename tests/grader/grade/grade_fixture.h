// SPDX-License-Identifier: Apache-2.0
// A small lab in a folder of its own, graded with fake services.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "grader/grade/grading.h"
#include "tests/grader/course/manifest_text.h"
#include "tests/grader/grade/fakes.h"

namespace warpgrade::grader::grade {

inline constexpr const char* kSource =
    "__global__ void twice(float* out, const float* in, int n) {}\n";

class Grade : public testing::Test {
 protected:
  void SetUp() override {
    // Named after the test: tests may run side by side.
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("grade_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "twice.cu") << kSource;
    std::ofstream(folder_ / "reference.cu") << kSource;
    lab_ = course::small_lab();
    lab_.folder = folder_;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static compile::Result compile_well(const compile::CompileRequest& request) {
    compile::Program program;
    program.file = request.file;
    program.source = request.source;
    program.architecture = request.architecture;
    for (const auto* name : {"twice", "twice_reference"}) {
      compile::Kernel kernel;
      kernel.name = name;
      kernel.signature = std::string(name) + "(float*, float const*, int)";
      program.kernels.push_back(kernel);
    }
    return program;
  }

  report::ExerciseReport grade(FakeBody body, const std::string& only_device = {},
                               measure::GpuBench* gpu = nullptr) {
    cases::Compilations compilations(compile_, 2);
    cases::Reference reference(cases::in_turn_on(runner_), "sm_90", compilations, 1);
    h200_ = std::make_unique<FakeSimBench>("h200", "sm_90", body);
    k40_ = std::make_unique<FakeSimBench>("k40", "sm_75", body);
    GradingServices services;
    services.compilations = &compilations;
    services.simulator.reference = &reference;
    services.simulator.bench = [this](const std::string& device) -> measure::SimBench& {
      return device == "h200" ? *h200_ : *k40_;
    };
    services.simulator.cases_at_once = cases_at_once_;
    services.seed = 7;
    if (gpu != nullptr) {
      services.gpu.emplace();
      services.gpu->bench = gpu;
      services.gpu->reference = &reference;
      services.gpu->calibration = calibration_;
      services.gpu->counters = counters_;
      services.gpu->course_values = [this](const GradingTask&) { return course_; };
    }
    h200_->in_other_orders = in_other_orders_;
    h200_->in_sample = k40_->in_sample = in_sample_;
    if (setup_) setup_(*k40_);
    const GradingTask task{&lab_, &lab_.exercises.front(),
                           cases::read_submission(folder_ / "twice.cu", "twice.cu")};
    return Grading(services, task, only_device).grade();
  }

  static void right(std::vector<run::Buffer>& buffers, measure::Measurement&) { twice(buffers); }

  unsigned cases_at_once_ = 1;
  FakeBody in_other_orders_;
  FakeBody in_sample_;
  std::function<void(FakeSimBench&)> setup_;  ///< Called for the bench of the k40.
  const GpuCalibration* calibration_ = nullptr;
  bool counters_ = false;
  CourseValues course_;  ///< Values of the course's files on the GPU.
  std::filesystem::path folder_;
  course::Lab lab_;
  FakeRunner runner_;
  cases::Compilations::Compile compile_ = compile_well;
  std::unique_ptr<FakeSimBench> h200_;
  std::unique_ptr<FakeSimBench> k40_;
};

// The speed gate requires 0.5 on this card.
class GradeOnGpu : public Grade {
 protected:
  void SetUp() override {
    Grade::SetUp();
    kernel_in(lab_).gates[1].device = "h200";
  }
  report::ExerciseReport grade_on_gpu(FakeBody body = right, const std::string& only_device = {}) {
    gpu_ = std::make_unique<FakeGpuBench>("h200", "sm_90", std::move(body));
    gpu_->fraction = fraction_;
    gpu_->impossible = impossible_;
    gpu_->counters = gpu_counters_;
    return grade(simulated_, only_device, gpu_.get());
  }

  FakeBody simulated_ = right;  ///< The body of a simulated kernel.
  measure::Fraction fraction_{measure::FractionEstimate{0.7, 0.69, 0.71}, true, {{1, 2, 2, 1}}, ""};
  std::string impossible_;
  std::optional<measure::GpuCounters> gpu_counters_;
  std::unique_ptr<FakeGpuBench> gpu_;
};

}  // namespace warpgrade::grader::grade
