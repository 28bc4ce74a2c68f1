// SPDX-License-Identifier: Apache-2.0
// Grading with fake services: the speed of exercises with operations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/grade_fixture.h"

namespace warpgrade::grader::grade::roofline_test {

using testing::AllOf;
using testing::Each;
using testing::IsEmpty;
using testing::Not;

class GradeRoofline : public Grade {};

// The copy takes 0.9 us and the kernel 1 us. 128,000 operations at 64 GFLOP/s take 2 us.
TEST_F(GradeRoofline, TheRoofOfAnExerciseWithOperationsIsTheSlowerBaseline) {
  auto& exercise = kernel_in(lab_);
  exercise.gates[1].metric = course::kFractionOfRoofline;
  EXPECT_DOUBLE_EQ(0.9, *grade(right).gates[1].value());  // Without operations: the copy.
  exercise.operations = text::Expression{"125 * n", {}};
  exercise.bytes = text::Expression{"16 * n", {}};
  const auto report = grade(right);
  EXPECT_DOUBLE_EQ(2, *report.gates[1].value());
  EXPECT_DOUBLE_EQ(2, *number_of(*report.fraction_of_roofline()));
  EXPECT_FALSE(report.fraction_of_copy());
  const auto& last = report.cases.back();
  EXPECT_EQ("k40", last.device);
  const auto& roof = last.roofline.value();
  EXPECT_EQ(16384, roof.bytes);
  EXPECT_EQ(128000, roof.operations);
  EXPECT_DOUBLE_EQ(7.8125, roof.intensity());
  EXPECT_DOUBLE_EQ(64e9, roof.peak_operations_per_second());
  EXPECT_DOUBLE_EQ(128e9, roof.operations_per_second());
  EXPECT_TRUE(roof.is_limited_by_operations());
  EXPECT_THAT(k40_->copied, AllOf(Not(IsEmpty()), Each(16384u)));
}

// 40,960 operations at 64 GFLOP/s take 0.64 us, less than the copy.
TEST_F(GradeRoofline, TheCopyIsTheRoofOfAnExerciseWithFewOperations) {
  auto& exercise = kernel_in(lab_);
  exercise.gates[1].metric = course::kFractionOfRoofline;
  exercise.operations = text::Expression{"40 * n", {}};
  const auto report = grade(right);
  EXPECT_DOUBLE_EQ(0.9, *report.gates[1].value());
  EXPECT_FALSE(report.cases.back().roofline.value().is_limited_by_operations());
}

// 1,280,000 operations at 512 products per clock, 1,024 GFLOP/s, take 1.25 us.
TEST_F(GradeRoofline, ProductsOnTensorCoresHaveTheirPeak) {
  auto& exercise = kernel_in(lab_);
  exercise.gates[1].metric = course::kFractionOfRoofline;
  exercise.operations = text::Expression{"1250 * n", {}};
  exercise.arithmetic = timing::ArithmeticKind::kTensorF16;
  const auto report = grade(right);
  const auto& roof = report.cases.back().roofline.value();
  EXPECT_DOUBLE_EQ(1024e9, roof.peak_operations_per_second());
  EXPECT_DOUBLE_EQ(1.25, *report.gates[1].value());
}

}  // namespace warpgrade::grader::grade::roofline_test
