// SPDX-License-Identifier: Apache-2.0
// Files whose names are not quite an exercise's.
#include "grader/class/loose_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::loose_names_test {

class LooseNames : public testing::Test {
 protected:
  LooseNames() {
    lab_.id = "lab";
    for (const auto* id : {"copy", "reduce", "reduce_many"}) {
      lab_.exercises.emplace_back().id = id;
      course::Step step;
      step.kernel = std::string(id) + "_kernel<{n}>";
      lab_.exercises.back().kernel()->steps = {step};
    }
    for (const auto& one : lab_.exercises) selected_.push_back({&lab_, &one});
  }
  std::string found(const std::string& path, const std::string& text = "") const {
    const auto one = loosely_named(selected_, path, text);
    return one ? one->exercise.exercise->id : "";
  }
  course::Lab lab_;
  std::vector<course::Selected> selected_;
};

TEST_F(LooseNames, CaseSuffixAndNumbersDoNotMatter) {
  for (const auto* path : {"Copy.CU", "copy (1).cu", "copy(12).cu", "my copy.cu", "copy.cpp",
                           "copy-3.cu", "copy.cu.txt", "x/COPY_final.cu", "Copy of copy.cu"}) {
    EXPECT_EQ("copy", found(path)) << path;
  }
  EXPECT_TRUE(loosely_named(selected_, "copy (1).cu", "")->is_copy);
  EXPECT_EQ(3, loosely_named(selected_, "copy-3.cu", "")->number);
  EXPECT_FALSE(loosely_named(selected_, "my copy.cu", "")->is_copy);
}

TEST_F(LooseNames, TheLongerNameIsMeant) {
  EXPECT_EQ("reduce_many", found("my reduce-many.cu"));
  EXPECT_EQ("reduce", found("reduce v2.cu"));
}

TEST_F(LooseNames, TwoThatFitAreNone) {
  EXPECT_EQ("", found("copy and reduce.cu"));
  EXPECT_EQ("", found("photocopying.cu"));
  EXPECT_EQ("", found("copy.pdf"));
}

TEST_F(LooseNames, AKernelNamesItsExerciseIfOnlyOneHasIt) {
  const std::string copy =
      "template <int N> __global__ void __launch_bounds__(256, 2) copy_kernel(";
  EXPECT_EQ("copy", found("main.cu", copy + "float* x) {}"));
  EXPECT_EQ("", found("main.cu", copy + ") {}\n__global__ void reduce_kernel(int*) {}"));
  EXPECT_EQ("", found("main.cu", "int main() {}"));
  EXPECT_THAT(kernels_in(copy), testing::ElementsAre("copy_kernel"));
}

}  // namespace warpgrade::grader::class_book::loose_names_test
