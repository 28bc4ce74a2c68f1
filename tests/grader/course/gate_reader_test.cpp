// SPDX-License-Identifier: Apache-2.0
#include "grader/course/gate_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "grader/course/manifest.h"

namespace warpgrade::grader::course::gate_reader_test {

// Presets of gates: inherited keys, and mistakes in labs/gates.toml.

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kPresets =
    "[speed]\nmetric = \"fraction_of_copy\"\non = \"h200\"\nnext = \"Be quick.\"\n"
    "[slow_speed]\nlike = \"speed\"\non = \"k40\"\n";

std::string error_of(const std::string& text) {
  try {
    const GatePresets all(text, "gates.toml");
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GatePresets, AGateHasTheKeysOfItsPresetAndOfThoseThatThisIsLike) {
  const GatePresets all(kPresets, "gates.toml");
  EXPECT_THAT(all.names(), ElementsAre("speed", "slow_speed"));
  const auto root = base::parse_toml("next = \"Own.\"", "lab.toml");
  text::Table gate(root, "lab.toml", "gate");
  all.complete(gate, "slow_speed");
  EXPECT_EQ("Own.", gate.text("next"));
  EXPECT_EQ("k40", gate.text("on"));
  EXPECT_EQ("fraction_of_copy", gate.text("metric"));
  EXPECT_EQ("gates.toml", gate.where("metric").file);
}

TEST(GatePresets, AnUnknownPresetIsNamedWithTheNearest) {
  const GatePresets all(kPresets, "gates.toml");
  const auto root = base::parse_toml("use = \"sped\"", "lab.toml");
  text::Table gate(root, "lab.toml", "gate");
  try {
    all.complete(gate, "sped");
    ADD_FAILURE() << "accepted";
  } catch (const base::UsageError& error) {
    EXPECT_STREQ(
        "lab.toml:1:7: gate: `use`: unknown preset `sped`, did you mean `speed`?; gates.toml "
        "has: speed, slow_speed",
        error.what());
  }
}

TEST(GatePresets, MistakesHaveTheirPlace) {
  EXPECT_EQ("accepted", error_of(kPresets));
  EXPECT_EQ("gates.toml:2:10: preset `a`: unknown key `metrik`, did you mean `metric`?",
            error_of("[a]\nmetrik = \"x\"\n"));
  EXPECT_THAT(error_of("[a]\nlike = \"b\"\n[b]\nlike = \"a\"\n"),
              HasSubstr("`a` is like itself in the end"));
  EXPECT_THAT(error_of("[ab]\nlike = \"ac\"\n"), HasSubstr("unknown preset `ac`"));
  EXPECT_THAT(error_of("[a]\nparameters = { min = 1 }\n"), HasSubstr("is a key of gates"));
}

TEST(GatePresets, ACourseWithoutThemHasNone) {
  const auto root = std::filesystem::path(testing::TempDir()) / "gate_presets_test";
  std::filesystem::create_directories(root / "labs");
  std::filesystem::remove(root / "labs/gates.toml");
  EXPECT_TRUE(read_gate_presets(root).names().empty());
  std::ofstream(root / "labs/gates.toml") << kPresets;
  EXPECT_EQ(2U, read_gate_presets(root).names().size());
  std::filesystem::remove_all(root);
}

}  // namespace warpgrade::grader::course::gate_reader_test

namespace warpgrade::grader::course::gate_reader_test_too {

// Gates from presets: placeholders, guards, one gate per device or case, overridden keys.

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
    {{"k40", {"sectors"}}},
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

TEST(GateReader, AMetricThatTheCardLacksIsRefusedAtTheDevice) {
  EXPECT_EQ("accepted", error_of("gates = [{ use = \"loads\" }]"));
  EXPECT_EQ("lab.toml:14:32: gate `loads`: `on`: the K40 has no `sectors`; devices with it: h200",
            error_of("\ngates = [{ use = \"loads\", on = \"k40\" }]"));
  EXPECT_THAT(
      error_of("gates = [{ use = \"loads\", on = [\"h200\", \"k40\"], id = \"l_{device}\" }]"),
      HasSubstr("gate `l_k40`: `on`: the K40 has no `sectors`"));
}

}  // namespace warpgrade::grader::course::gate_reader_test_too
