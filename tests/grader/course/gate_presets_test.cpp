// SPDX-License-Identifier: Apache-2.0
// Presets of gates: inherited keys, and mistakes in labs/gates.toml.
#include "grader/course/gate_presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader::course::gate_presets_test {

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
  all.lay_below(gate, "slow_speed");
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
    all.lay_below(gate, "sped");
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

}  // namespace warpgrade::grader::course::gate_presets_test
