// SPDX-License-Identifier: Apache-2.0
// Launches each solution with a single launch, and its reference, as the harness launches timed
// kernels, once per case: fresh memory between guards, the harness's kernels around the launch, the
// result checked by fingerprints. Then launches both without guards. The device is a real GPU
// (skipped with exit code 77 without one) or, with WARPGRADE_SIM_DRIVER defined, a driver made of
// the simulator.
//
// All launches run in this process, so a tool that watches a process sees every launch and every
// driver call: tests/gpu/sanitize.py runs these tests under compute-sanitizer. Tests named
// ...Launches leave out the harness's kernels, which are slow under its check for races. Measured
// cases have the simulator's sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>

#include "common/measure/baselines.h"
#include "common/sim/simulator.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/submission.h"
#include "grader/course/course.h"
#include "grader/profile/arguments.h"
#include "tests/grader/grade/launches.h"

namespace warpgrade::grader::grade::solution_launches_test {

const std::filesystem::path& root() {
  static const std::filesystem::path found = course::find_root();
  return found;
}

const course::Course& course() {
  static const course::Course read = course::read_course(root(), {});
  return read;
}

// An instance of a template is compiled only if it is named.
compile::Program compiled_file(const std::filesystem::path& file,
                               const std::vector<std::string>& kernels) {
  auto request = std::get<compile::CompileRequest>(compile::read_source(file));
  for (const auto& kernel : kernels) {
    if (kernel.find('<') != std::string::npos) request.instantiations.push_back(kernel);
  }
  return compiled(std::move(request));
}

const compile::Kernel& kernel_of(const compile::Program& program, const std::string& name) {
  return *std::get<const compile::Kernel*>(compile::find_kernel(program, name));
}

// A case's launches of the solution and of the reference.
struct CaseLaunches {
  const compile::Program& program;
  run::Launch launch;
  const compile::Program& reference;
  run::Launch reference_launch;
  const Buffers& before;
  std::function<std::string(const Buffers&)> difference;
};

// Whether these are the reference's outputs. If pieces may have any order, it leaves room between
// them, and others must not.
bool is_references(const Buffers& got, const Buffers& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].bytes.empty() && got[i].bytes != outputs[i].bytes) return false;
  }
  return true;
}

class ExerciseTest : public ::testing::TestWithParam<course::Selected> {
 protected:
  // Calls `take` with the launches of each case.
  static void for_each_case(const std::function<void(const CaseLaunches&)>& take) {
    const auto* const lab = GetParam().lab;
    const auto* const exercise = GetParam().exercise;
    const auto& form = *exercise->kernel();
    cases::Compilations compilations(compile::compile, 1);
    cases::Reference simulated(cases::simulate, "sm_90", compilations, cases::kDefaultSeed);
    const auto solution = program_of(root() / "solutions" / lab->id / exercise->file_name(),
                                     form.steps.front().kernel);
    const auto reference = program_of(lab->folder / "reference.cu", form.reference_kernel);
    for (const auto& item : form.cases) {
      if (item.sampled) continue;  // Too large for this test.
      SCOPED_TRACE(item.name);
      const auto sized = cases::size_case(*exercise, item.name, item.variables);
      const auto expected = simulated.expected(*lab, sized);
      const auto launch = [&](const compile::Program& program, const std::string& kernel,
                              const course::Geometry& geometry) {
        const auto& found = kernel_of(program, course::kernel_name(kernel, item.variables));
        return cases::make_launch(form.parameters, geometry, found.name, item.variables);
      };
      take({solution, launch(solution, form.steps.front().kernel, form.steps.front().geometry),
            reference, launch(reference, form.reference_kernel, form.reference_launch),
            expected->before, [&](const Buffers& got) {
              if (is_references(got, expected->after)) return std::string();
              const auto found = first_difference(sized.buffers, *expected, got);
              return found ? found->text : std::string();
            }});
    }
  }

 private:
  // `file` with the instances of `kernel` that the cases need.
  static compile::Program program_of(const std::filesystem::path& file, const std::string& kernel) {
    std::vector<std::string> names;
    for (const auto& item : GetParam().exercise->kernel()->cases) {
      const auto name = course::kernel_name(kernel, item.variables);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return compiled_file(file, names);
  }
};

using ExerciseChecked = ExerciseTest;
using ExerciseLaunches = ExerciseTest;

TEST_P(ExerciseChecked, SolutionAndReferenceAreRightInEachCase) {
  for_each_case([](const CaseLaunches& item) {
    const auto code = loadable(item.reference).machine_code;
    expect_right(item.program, item.launch, item.before, gpu::made_by(code, item.reference_launch),
                 item.difference);
  });
}

TEST_P(ExerciseLaunches, SolutionAndReferenceEnd) {
  for_each_case([](const CaseLaunches& item) {
    launch_without_guards(item.program, item.launch, item.before);
    launch_without_guards(item.reference, item.reference_launch, item.before);
  });
}

// Exercises with one launch; sequences are not launched here.
std::vector<course::Selected> exercises_of_one_launch() {
  std::vector<course::Selected> out;
  for (const auto& one : select(course(), {})) {
    const auto* kernel = one.exercise->kernel();
    if (kernel != nullptr && kernel->steps.size() == 1) out.push_back(one);
  }
  return out;
}

const auto kExerciseName = [](const auto& one) {
  return one.param.lab->id + "_" + one.param.exercise->id;
};
INSTANTIATE_TEST_SUITE_P(Course, ExerciseChecked, ::testing::ValuesIn(exercises_of_one_launch()),
                         kExerciseName);
INSTANTIATE_TEST_SUITE_P(Course, ExerciseLaunches, ::testing::ValuesIn(exercises_of_one_launch()),
                         kExerciseName);

// A kernel of solutions/LAB/further with the launch in its head.
struct Further {
  const char* name;
  const char* file;
  const char* kernel;
  base::Dim3 grid;
  base::Dim3 block;
  std::vector<std::string> arguments;
  std::vector<std::size_t> compared;  ///< Buffers that are the same after every run.
};

const std::vector<Further>& all_further() {
  static const std::vector<Further> kAll = {
      {"copy_limit",
       "coalescing/further/copy_limit.cu",
       "copy_limit",
       {64},
       {128},
       {"out:f32:32768", "in:f32:32768:zeros", "u32:32768"},
       {0}},
      {"transpose_limit",
       "bank_conflicts/further/transpose_limit.cu",
       "transpose_limit",
       {4, 3},
       {16, 16},
       {"out:f32:49152", "in:f32:49152:zeros", "i32:192", "i32:256"},
       {0}},
      {"transpose_order_rows",
       "partition_camping/further/transpose_order.cu",
       "transpose_order<0>",
       {3, 5},
       {256},
       {"out:f64:15360", "in:f64:15360:zeros", "i32:96", "i32:160"},
       {0}},
      {"transpose_order_columns",
       "partition_camping/further/transpose_order.cu",
       "transpose_order<1>",
       {5, 3},
       {256},
       {"out:f64:15360", "in:f64:15360:zeros", "i32:96", "i32:160"},
       {0}},
      {"transpose_order_diagonal",
       "partition_camping/further/transpose_order.cu",
       "transpose_order<2>",
       {5, 3},
       {256},
       {"out:f64:15360", "in:f64:15360:zeros", "i32:96", "i32:160"},
       {0}},
      // The sum of each block depends on the order of blocks; the total and the counters do not.
      {"sum_limit",
       "coarsening/further/sum_limit.cu",
       "sum_limit",
       {8},
       {512},
       {"out:f32:1", "out:f32:8", "out:u32:2", "in:f32:300003:zeros", "u32:300003"},
       {0, 2}},
  };
  return kAll;
}

// Small whole numbers, so that every order of summation is exact.
template <typename Number>
void fill(std::vector<std::byte>& bytes) {
  for (std::size_t i = 0; i < bytes.size() / sizeof(Number); ++i) {
    const auto value = static_cast<Number>(i * 7919 % 101);
    std::memcpy(&bytes[i * sizeof(value)], &value, sizeof(value));
  }
}

class FurtherTest : public ::testing::TestWithParam<Further> {
 protected:
  FurtherTest()
      : program_(compiled_file(root() / "solutions" / GetParam().file, {GetParam().kernel})) {
    const auto& item = GetParam();
    std::vector<profile::ArgumentSpec> specs;
    for (const auto& text : item.arguments) specs.push_back(profile::parse_argument(text));
    auto made = profile::make_arguments(specs);
    before_ = std::move(made.buffers);
    for (auto& buffer : before_) {
      if (!buffer.read_only) continue;
      const bool is_double = buffer.element_bytes == sizeof(double);
      is_double ? fill<double>(buffer.bytes) : fill<float>(buffer.bytes);
    }
    launch_.kernel = kernel_of(program_, item.kernel).name;
    launch_.grid = item.grid;
    launch_.block = item.block;
    launch_.arguments = std::move(made.arguments);
  }

  compile::Program program_;
  run::Launch launch_;
  Buffers before_;
};

using FurtherChecked = FurtherTest;
using FurtherLaunches = FurtherTest;

TEST_P(FurtherChecked, ResultIsTheSimulators) {
  auto after = before_;
  sim::Simulator simulator(program_);
  ASSERT_TRUE(simulator.launch(launch_, after, {}).diagnostics.empty());
  ASSERT_NE(before_[0].bytes, after[0].bytes);
  const auto code = loadable(program_).machine_code;
  const auto itself = gpu::made_by(code, launch_);
  expect_right(program_, launch_, before_, itself, [&](const Buffers& got) {
    for (const auto i : GetParam().compared) {
      if (got[i].bytes != after[i].bytes) return "buffer " + std::to_string(i) + " differs";
    }
    return std::string();
  });
  launch_without_guards(program_, launch_, before_);
}

TEST_P(FurtherLaunches, KernelEnds) { launch_without_guards(program_, launch_, before_); }

const auto kFurtherName = [](const auto& one) { return std::string(one.param.name); };
INSTANTIATE_TEST_SUITE_P(Course, FurtherChecked, ::testing::ValuesIn(all_further()), kFurtherName);
INSTANTIATE_TEST_SUITE_P(Course, FurtherLaunches, ::testing::ValuesIn(all_further()), kFurtherName);

TEST(FurtherKernels, AreAllLaunched) {
  for (const auto& lab : course().labs) {
    const auto folder = root() / "solutions" / lab.id / "further";
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto file = std::filesystem::relative(entry.path(), root() / "solutions").string();
      const auto& all = all_further();
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Further& item) {
        return item.file == file;
      })) << file;
    }
  }
}

TEST(HarnessChecked, TheCopyBaselineCopies) {
  const auto& program = measure::copy_program(session().device().architecture);
  for (const std::uint64_t bytes : {4ULL, 1000ULL, (8ULL << 20) + 12}) {
    SCOPED_TRACE(bytes);
    const auto copy = measure::copy_case(bytes);
    expect_right(program, copy.launch, copy.buffers, gpu::made_by_copy(), [&](const Buffers& got) {
      return got[0].bytes == copy.buffers[1].bytes ? "" : "the copy differs";
    });
    launch_without_guards(program, copy.launch, copy.buffers);
  }
}

TEST(HarnessChecked, SamplesAndCopiesInNewContexts) {
  session().load(loadable(measure::copy_program(session().device().architecture)).machine_code);
  for (int i = 0; i < 2; ++i) {
    auto copy = measure::copy_case(100000);
    const auto outcome = session().run(copy.launch, copy.buffers, 3, /*flush=*/true);
    EXPECT_EQ(3U, outcome.seconds.size());
    EXPECT_EQ(copy.buffers[1].bytes, copy.buffers[0].bytes);
    EXPECT_EQ(2U, session().copy(1 << 20, 2).size());
    EXPECT_TRUE(session().renew());
  }
}

}  // namespace warpgrade::grader::grade::solution_launches_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  try {
    warpgrade::grader::grade::session();
  } catch (const warpgrade::base::ToolError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  return RUN_ALL_TESTS();
}
