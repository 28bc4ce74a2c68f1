// SPDX-License-Identifier: Apache-2.0
// Gates from presets: placeholders, guards, one gate per device or case, overridden keys.
#include "grader/course/gate_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/course/gate_presets.h"
#include "grader/course/manifest.h"

namespace warpgrade::grader::course::gate_reader_test {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kPresets = R"toml([loads]
id = "loads"
metric = "sectors"
on = "h200"
max = "bytes_in / 32"
ideal = "bytes_in / 32"
guards = ["stores"]
parameters = { unit = "sectors", more = "." }
meaning = "Loads, in {unit}{more}"
next = "Load less."

[stores]
like = "loads"
id = "stores"
guards = []

[speed]
id = "speed_{device}"
metric = "fraction_of_copy"
on = ["h200", "k40"]
min = { h200 = 0.25, other = 0.5 }
ideal = 1
meaning = "Speed on {card}."
next = "Be quick."
)toml";

const Vocabulary kPresetVocabulary = {
    {"fraction_of_copy", "sectors"},
    {"h200", "k40"},
    {{"k40", "the K40"}},
    std::make_shared<const GatePresets>(kPresets, "gates.toml"),
};

std::string lab_with(const std::string& gates) {
  return R"toml(title = "Lab"
summary = "For tests."
[[exercise]]
id = "first"
title = "First"
hints = ["one"]
kernel = "first(float* out, const float* in, int n)"
launch = { grid = [1], block = [32] }
shapes = { out = "n", in = "n" }
reference = "first_reference"
cases = [{ name = "by", n = [64, 128], measured = true }]
correctness_points = 1
)toml" + gates;
}

// The last exercise of the lab.
KernelExercise parsed(const std::string& gates) {
  const auto lab = parse_manifest(lab_with(gates), "lab.toml", "lab", kPresetVocabulary);
  return std::get<KernelExercise>(lab.exercises.back().form);
}

std::string error_of(const std::string& gates) {
  try {
    parsed(gates);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<std::string> ids(const KernelExercise& exercise) {
  std::vector<std::string> out;
  for (const auto& gate : exercise.gates) out.push_back(gate.id);
  return out;
}

TEST(GateReader, GuardsComeBeforeTheFirstGateOnSpeedAndAreNeeded) {
  const auto exercise = parsed("gates = [{ use = \"loads\", points = 2 }, { use = \"speed\" }]");
  EXPECT_THAT(ids(exercise), ElementsAre("loads", "stores", "speed_h200", "speed_k40"));
  EXPECT_THAT(exercise.gates[0].needs, ElementsAre("stores"));
  EXPECT_EQ(2U, exercise.gates[0].points);
  EXPECT_EQ(0U, exercise.gates[1].points);
  // 64 floats of 4 bytes are 8 sectors.
  EXPECT_EQ(8, evaluate(*exercise.gates[0].max, {{"n", 64}}));
}

TEST(GateReader, TextsHaveParametersDevicesAndCards) {
  const auto exercise =
      parsed("gates = [{ use = \"loads\", unit = \"words\", needs = [] }, { use = \"speed\" }]");
  EXPECT_EQ("Loads, in words.", exercise.gates[0].meaning);
  EXPECT_EQ("Speed on h200.", exercise.gates[1].meaning);
  EXPECT_EQ("Speed on the K40.", exercise.gates[2].meaning);
  EXPECT_EQ(0.25, evaluate(*exercise.gates[1].min, {}));
  EXPECT_EQ(0.5, evaluate(*exercise.gates[2].min, {}));
}

TEST(GateReader, EachMakesAGatePerMeasuredCase) {
  const auto exercise = parsed(
      "gates = [{ use = \"speed\", on = \"k40\", id = \"speed_{n}\", each = \"measured\", "
      "min = [0.1, 0.2] }]");
  EXPECT_THAT(ids(exercise), ElementsAre("speed_64", "speed_128"));
  EXPECT_THAT(exercise.gates[1].cases, ElementsAre("by_128"));
  EXPECT_EQ(0.2, evaluate(*exercise.gates[1].min, {}));
}

constexpr const char* kSecond = R"toml(gates = [{ use = "loads", points = 2 }, { use = "speed" }]
[[exercise]]
id = "second"
title = "Second"
hints = ["one"]
like = "first"
kernel = "second"
)toml";

TEST(GateReader, AnInheritedGateIsChangedByItsIdOrItsPreset) {
  const auto exercise = parsed(
      std::string(kSecond) +
      "change = { loads = { points = 3 }, speed = { min = 0.75 }, speed_k40 = { min = 0.6 } }");
  EXPECT_EQ("second", exercise.steps[0].kernel);
  EXPECT_EQ("second(float*, const float*, int)", exercise.signatures());
  EXPECT_EQ(3U, exercise.gates[0].points);
  EXPECT_EQ(0.75, evaluate(*exercise.gates[2].min, {}));
  EXPECT_EQ(0.6, evaluate(*exercise.gates[3].min, {}));
  EXPECT_THAT(
      error_of(std::string(kSecond) + "change = { lods = { points = 3 } }"),
      HasSubstr("is neither the id of a gate nor the preset of one, did you mean `loads`?"));
}

TEST(GateReader, MistakesNameTheKeyAndWhatThereIs) {
  EXPECT_THAT(error_of("gates = []"), HasSubstr("an example: gates = [ { use = "));
  EXPECT_THAT(error_of("gates = [{ use = \"spee\" }]"), HasSubstr("did you mean `speed`?"));
  EXPECT_THAT(error_of("gates = [{ use = \"speed\", min = { t4 = 1 } }]"),
              HasSubstr("`min`: has no value for `h200`, nor for `other`"));
  EXPECT_THAT(error_of("gates = [{ use = \"speed\", meaning = \"{crad}\" }]"),
              HasSubstr("there is nothing for {crad}, did you mean `card`?"));
  EXPECT_THAT(error_of("gates = [{ use = \"loads\", ideal = \"bytes_in\" }]"),
              HasSubstr("gate `loads`: `ideal` is 256, which its own bounds stop"));
  EXPECT_THAT(error_of("gates = [{ use = \"speed\", on = \"k40\", id = \"speed_{n}\", each = "
                       "\"measured\", min = [0.1] }]"),
              HasSubstr("has 1 values, but there are more cases"));
}

}  // namespace warpgrade::grader::course::gate_reader_test
