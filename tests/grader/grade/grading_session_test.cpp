// SPDX-License-Identifier: Apache-2.0
// A session on a small course, with the real compiler and simulator. Grades use no GPU.
#include "grader/grade/grading_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "common/base/error.h"
#include "common/device/profile.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/sim_bench.h"
#include "common/ptx/module.h"
#include "grader/course/course.h"
#include "grader/grade/grading.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::grade::grading_session_test {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::SizeIs;

constexpr std::uint64_t kSeed = 7;
constexpr const char* kTwice =
    "__global__ void twice(float* out, const float* in, int n) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
    "  if (i < n) out[i] = 2 * in[i];\n"
    "}\n";
constexpr const char* kQuestions = R"toml(title = "Questions"
summary = "For tests."

[[exercise]]
id = "predict"
title = "Predict"
hints = ["one"]

[[exercise.questions]]
id = "strides"
rule = "shared_wavefronts"
on = "v100"
word_bytes = 4
strides = 1
points = 2
meaning = "Wavefronts for stride 1."

[[exercise.questions]]
id = "more_strides"
rule = "shared_wavefronts"
on = "h200"
word_bytes = 4
strides = 1
points = 1
meaning = "Wavefronts for stride 1."
)toml";

// Bytes of both buffers in the measured case: the size of the predicted copy.
constexpr std::uint64_t kCopied = 2 * 1024 * sizeof(float);

class GradingSessionTest : public testing::Test {
 protected:
  GradingSessionTest() : cache_("XDG_CACHE_HOME", (folder_.path() / "cache").string()) {
    course::write_lab_of_stores(folder_);
    folder_.write("labs/small/twice.cu",
                  "__global__ void twice(float* out, const float* in, int n) {}\n");
    folder_.write("solutions/small/twice.cu", kTwice);
    folder_.write("labs/asks/grader.toml", kQuestions);
    folder_.write("labs/asks/predict.toml", "[strides]\nanswers = [1]\n");
    course_ = course::read_course(folder_.path(), {});
  }

  course::Selected selected(const std::string& name) const {
    return select(course_, {name}).front();
  }
  GradingTask solution() const { return solution_task(course_, selected("small/twice")); }
  GradingTask questions() const { return student_task(course_, selected("asks/predict")); }
  report::Report grade(const std::vector<GradingTask>& tasks, const std::string& device = {},
                       bool counters = false) const {
    return GradingSession(run::Backend::kSim, device, kSeed).grade(tasks, counters);
  }
  static double fraction_of_copy(const report::Report& report) {
    return number_of(report.exercises.at(0).gates.at(0).worst.value().value).value_or(0);
  }

  compile::TemporaryFolder folder_;
  compile::ScopedVariable cache_;
  course::Course course_;
};

TEST_F(GradingSessionTest, ADeviceWithoutAProfileIsAWrongUse) {
  EXPECT_THROW(GradingSession(run::Backend::kSim, "g2000", kSeed), base::UsageError);
}

TEST_F(GradingSessionTest, AGpuThatIsAskedForAndIsNotThereIsAnErrorOfTheTool) {
  if (gpu::availability().available) GTEST_SKIP() << "there is a GPU";
  try {
    GradingSession(run::Backend::kGpu, "", kSeed);
    FAIL() << "no error";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--backend gpu: no GPU to run on: "));
  }
}

TEST_F(GradingSessionTest, WithoutABackendAndAGpuTheSimulatorGrades) {
  if (gpu::availability().available) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(run::Backend::kSim, GradingSession({}, "", kSeed).grade({}).backend);
}

TEST_F(GradingSessionTest, TheReportHasAllExercisesInOrderAndEachDeviceOnce) {
  const auto report = grade({questions(), solution()});
  EXPECT_EQ(run::Backend::kSim, report.backend);
  EXPECT_EQ(kSeed, report.seed);
  EXPECT_EQ("v100, h200, k40", report.device);
  EXPECT_THAT(report.notes, IsEmpty());
  ASSERT_EQ(2U, report.exercises.size());
  EXPECT_EQ("predict", report.exercises[0].exercise);
  EXPECT_EQ("twice", report.exercises[1].exercise);
  EXPECT_EQ(report::Verdict::kPass, report.exercises[1].verdict);
  EXPECT_EQ(6U, report.exercises[1].points);
}

TEST_F(GradingSessionTest, ALabOfQuestionsNeedsNoReference) {
  const auto report = grade({questions()});
  ASSERT_EQ(1U, report.exercises.size());
  EXPECT_EQ("", report.exercises[0].tool_trouble);
}

TEST_F(GradingSessionTest, ADeviceThatIsNamedIsTheOnlyOne) {
  const auto report = grade({solution()}, "k40");
  EXPECT_EQ("k40", report.device);
  ASSERT_EQ(1U, report.exercises.at(0).gates.size());
  EXPECT_EQ("speed", report.exercises[0].gates[0].definition.id);
}

TEST_F(GradingSessionTest, PredictedCopiesAreKeptForTheNextSession) {
  grade({solution()}, "k40");
  EXPECT_THAT(stored_copy_times().of("k40"), ElementsAre(Key(kCopied)));
}

// A copy that takes a second is thousands of times slower than the kernel.
TEST_F(GradingSessionTest, CopiesThatAreKeptAreNotPredictedAgain) {
  stored_copy_times().keep({{"k40", {{kCopied, 1.0}}}});
  EXPECT_LT(1000, fraction_of_copy(grade({solution()}, "k40")));
}

TEST_F(GradingSessionTest, CountersThatAreAskedForWithoutAGpuAreMissed) {
  EXPECT_THAT(grade({}, "", /*counters=*/true).notes,
              ElementsAre(HasSubstr("No counters of the card: ")));
}

TEST_F(GradingSessionTest, TasksNameTheStudentsFileTheSolutionAndAnyFile) {
  const auto twice = selected("small/twice");
  const auto student = student_task(course_, twice);
  EXPECT_EQ(twice.lab, student.lab);
  EXPECT_EQ(twice.exercise, student.exercise);
  EXPECT_EQ("labs/small/twice.cu", student.submission.shown);
  EXPECT_EQ("solutions/small/twice.cu", solution_task(course_, twice).submission.shown);
  const auto file = folder_.write("mine.cu", kTwice);
  const auto other = file_task(course_, twice, file);
  EXPECT_EQ("mine.cu", other.submission.shown);
  EXPECT_EQ(file, other.submission.file);
}

// Every stage uses the module that a program shares.
TEST(ProgramsOfAGrade, AreParsedOnceEach) {
  std::mutex mutex;
  std::map<std::string, int> parsed;  // by file and architecture
  const auto counting = [&](auto compile) {
    return [&, compile](const compile::CompileRequest& request) {
      auto result = compile(request);
      auto& program = std::get<compile::Program>(result);
      const auto count = [&, key = request.file + ' ' + request.architecture](
                             const std::string& text, const std::string& file) {
        const std::lock_guard lock(mutex);
        ++parsed[key];
        return ptx::parse(text, file);
      };
      program.ptx = {program.ptx.text(), program.file, count};
      return result;
    };
  };
  cases::Compilations compilations(counting(compile::compile), 1);
  cases::Compilations own_compilations(counting(compile::compile_own), 1);
  cases::Reference reference(cases::simulate, "sm_90", own_compilations, kSeed);
  std::map<std::string, std::unique_ptr<measure::SimBench>> benches;
  GradingServices services;
  services.compilations = &compilations;
  services.simulator.reference = &reference;
  services.simulator.bench = [&](const std::string& device) -> measure::SimBench& {
    auto& bench = benches[device];
    if (!bench) bench = measure::sim_bench(device::find(device));
    return *bench;
  };
  services.seed = kSeed;
  const auto course = course::read_course(WARPGRADE_SOURCE_ROOT, {});
  const auto task = solution_task(course, select(course, {"coalescing/copy"}).front());
  const Grading grading(services, task, {});
  EXPECT_EQ(report::Verdict::kPass, grading.grade().verdict);
  EXPECT_THAT(parsed, testing::Contains(Key(testing::StartsWith("labs/coalescing/reference.cu"))));
  EXPECT_THAT(parsed, SizeIs(testing::Ge(2U)));
  EXPECT_THAT(parsed, Each(testing::Pair(testing::_, 1)));
}

}  // namespace warpgrade::grader::grade::grading_session_test
