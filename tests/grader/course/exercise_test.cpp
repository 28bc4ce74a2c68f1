// SPDX-License-Identifier: Apache-2.0
#include "grader/course/exercise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::course::exercise_test {

TEST(KernelName, TakesTheVariablesOfTheCase) {
  EXPECT_EQ("copy", kernel_name("copy", {{"factor", 4}}));
  EXPECT_EQ("reduce_threads<4>", kernel_name("reduce_threads<{factor}>", {{"factor", 4}}));
  EXPECT_EQ("f<2, 3>", kernel_name("f<{a}, {b}>", {{"a", 2}, {"b", 3}}));
}

TEST(KernelName, AVariableThatIsNotThereIsAMistake) {
  EXPECT_THROW(kernel_name("f<{n}>", {}), base::UsageError);
  EXPECT_THROW(kernel_name("f<{}>", {{"n", 1}}), base::UsageError);
  EXPECT_THROW(kernel_name("f<{n", {{"n", 1}}), base::UsageError);
}

using verify::ElementType;

BufferParameter output(const std::string& name) {
  return {name, ElementType::kF32, {}, {}, Poison{}, EqualBits{}};
}

ValueParameter value(const std::string& name, ElementType type) { return {name, type, false, {}}; }

SameParameter same(const std::string& name) { return {name, {}, {}}; }

TEST(BuffersOf, AreThoseOfTheirOwnInOrderThoseOfAStructInItsPlace) {
  const std::vector<Parameter> parameters = {value("n", ElementType::kI32), output("x"),
                                             StructParameter{"p", {output("p.out"), same("p.x")}},
                                             same("again"), output("y")};
  const auto buffers = buffers_of(parameters);
  ASSERT_EQ(3U, buffers.size());
  EXPECT_EQ("x", buffers[0]->name);
  EXPECT_EQ("p.out", buffers[1]->name);
  EXPECT_EQ("y", buffers[2]->name);
  EXPECT_EQ(1U, buffer_called(buffers, "p.out"));
  EXPECT_EQ(3U, buffer_called(buffers, "again"));
}

// As g++ lays out struct { char a; float* b; short c; bool d; int e; char f; }.
TEST(LayoutOf, IsThatOfCpp) {
  const StructParameter all{
      "p",
      {value("a", ElementType::kI8), output("b"), value("c", ElementType::kI16),
       value("d", ElementType::kU8), value("e", ElementType::kI32), value("f", ElementType::kI8)}};
  const auto layout = layout_of(all);
  EXPECT_EQ((std::vector<std::uint32_t>{0, 8, 16, 18, 20, 24}), layout.offsets);
  EXPECT_EQ(32U, layout.bytes);
  const auto byte = value("a", ElementType::kU8);
  EXPECT_EQ(3U, layout_of(StructParameter{"q", {byte, byte, byte}}).bytes);
}

// Properties derived from an exercise: points, devices, launches, names.

using testing::ElementsAre;

Step step_of(const std::string& signature, const std::string& times = "1") {
  Step out;
  out.signature = signature;
  out.times = {times, {}};
  return out;
}

KernelExercise exercise_of(std::vector<Step> steps) {
  KernelExercise out;
  out.rounds = {"1", {}};
  out.steps = std::move(steps);
  return out;
}

TEST(Exercise, IsASequenceWhereACaseMayBeSeveralLaunches) {
  EXPECT_FALSE(exercise_of({step_of("a(int*)")}).is_sequence());
  EXPECT_TRUE(exercise_of({step_of("a(int*)"), step_of("b(int*)")}).is_sequence());
  EXPECT_TRUE(exercise_of({step_of("a(int*)", "n")}).is_sequence());
  auto rounds = exercise_of({step_of("a(int*)")});
  rounds.rounds = {"2", {}};
  EXPECT_TRUE(rounds.is_sequence());
}

TEST(Exercise, SignaturesAreToldOnceEach) {
  EXPECT_EQ("a(int*), b(int*)",
            exercise_of({step_of("a(int*)"), step_of("b(int*)"), step_of("a(int*)")}).signatures());
}

TEST(Exercise, PointsAndDevicesAreThoseOfItsGates) {
  auto exercise = exercise_of({step_of("a(int*)")});
  exercise.correctness_points = 3;
  for (const auto* device : {"k40", "h200", "k40"}) {
    auto& gate = exercise.gates.emplace_back();
    gate.device = device;
    gate.points = 2;
  }
  const Exercise scan{"scan", {}, {}, exercise};
  EXPECT_EQ(9U, scan.max_points());
  EXPECT_THAT(scan.devices(), ElementsAre("k40", "h200"));
  EXPECT_EQ("scan.cu", scan.file_name());
  EXPECT_NE(nullptr, scan.kernel());
}

TEST(Exercise, PointsAndDevicesAreThoseOfItsQuestions) {
  QuestionsExercise form;
  for (const auto* device : {"t4", "h200", "t4"}) {
    auto& question = form.questions.emplace_back();
    question.device = device;
    question.points = 3;
  }
  const Exercise predict{"predict", {}, {}, form};
  EXPECT_EQ(9U, predict.max_points());
  EXPECT_THAT(predict.devices(), ElementsAre("t4", "h200"));
  EXPECT_EQ("predict.toml", predict.file_name());
  EXPECT_EQ(nullptr, predict.kernel());
}

TEST(Exercise, ACaseThatIsNotThereIsUsage) {
  auto exercise = exercise_of({step_of("a(int*)")});
  exercise.cases.emplace_back().name = "one";
  EXPECT_EQ("one", exercise.case_called("one").name);
  EXPECT_THROW(exercise.case_called("two"), base::UsageError);
}

TEST(Case, TheSizeWhoseSpeedIsGradedFollowsFromTheDraw) {
  Case item;
  item.variables = {{"n", 8}};
  EXPECT_EQ(8, item.speed_variables(3).at("n"));
  item.timed_variables = text::VariableExpressions{{"n", {"100 + draw", {}}}};
  EXPECT_EQ(103, item.speed_variables(3).at("n"));
}

}  // namespace warpgrade::grader::course::exercise_test
