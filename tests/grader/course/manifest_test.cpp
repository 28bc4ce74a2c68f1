// SPDX-License-Identifier: Apache-2.0
#include "grader/course/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::course::manifest_test {

// The file with the values of untouched skeletons.

using testing::EndsWith;

Lab bare() { return parse_manifest(kManifest, "labs/small/grader.toml", "small", kVocabulary); }

TEST(SkeletonValues, ReachTheirGates) {
  auto lab = bare();
  EXPECT_FALSE(kernel_in(lab).gates[0].skeleton);
  enter_skeleton_values(kSkeletonValues, "skeletons.toml", lab);
  EXPECT_EQ(1024, kernel_in(lab).gates[0].skeleton);
  EXPECT_EQ(0.1, kernel_in(lab).gates[1].skeleton);
}

TEST(SkeletonValues, AreWrittenAsTheyAreRead) {
  EXPECT_THAT(skeleton_values_text(small_lab()),
              EndsWith("\n[twice]\nstores = 1024\nspeed = 0.1\n"));
  auto lab = bare();
  enter_skeleton_values(skeleton_values_text(small_lab()), "skeletons.toml", lab);
  EXPECT_EQ(skeleton_values_text(small_lab()), skeleton_values_text(lab));
}

TEST(SkeletonValues, WithoutAnyNoFileIsNeeded) { EXPECT_EQ("", skeleton_values_text(bare())); }

TEST(SkeletonValues, OfOtherExercisesAndGatesAreIgnored) {
  auto lab = bare();
  enter_skeleton_values("[gone]\nstores = 1\n[twice]\ngone = 2\n", "skeletons.toml", lab);
  EXPECT_FALSE(kernel_in(lab).gates[0].skeleton);
}

TEST(SkeletonValues, ThatAreNoNumbersHaveTheirPlace) {
  auto lab = bare();
  try {
    enter_skeleton_values("[twice]\nstores = \"many\"\n", "skeletons.toml", lab);
    ADD_FAILURE() << "accepted";
  } catch (const base::UsageError& error) {
    EXPECT_STREQ(
        "skeletons.toml:2:10: exercise `twice`: `stores`: must be a number, but is a string",
        error.what());
  }
}

using testing::ElementsAre;
using testing::HasSubstr;

// A course with the lab `small`, with headers beside it and in the root.
class IncludeFolders : public testing::Test {
 protected:
  IncludeFolders() {
    root_.write("labs/small/grader.toml", "");
    root_.write("labs/small/own/a.h", "");
    root_.write("labs/include/b.h", "");
    root_.write("labs/other/grader.toml", "");
    root_.write("include/c.h", "");
    root_.write("solutions/small/d.h", "");
    root_.write("tests/e.h", "");
    std::filesystem::create_symlink("../../solutions", root_.path() / "labs/small/link");
  }
  std::vector<std::filesystem::path> folders(const std::vector<std::string>& given) const {
    return include_folders(root_.path() / "labs/small", given, {"grader.toml", 3, 19});
  }
  std::string error_of(const std::string& name) const {
    try {
      folders({name});
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return {};
  }
  compile::TemporaryFolder root_;
};

TEST_F(IncludeFolders, AreSeenFromTheLabAndAbsolute) {
  const auto root = std::filesystem::canonical(root_.path());
  EXPECT_THAT(folders({"own", "../include/", "../../include"}),
              ElementsAre(root / "labs/small/own", root / "labs/include", root / "include"));
}

TEST_F(IncludeFolders, OneThatIsNotThereIsToldWithItsPlace) {
  EXPECT_THAT(error_of("../includes"), HasSubstr("grader.toml:3:19"));
  EXPECT_THAT(error_of("../includes"),
              HasSubstr("include folder `../includes`: the folder does not exist"));
  EXPECT_THAT(error_of("own/a.h"), HasSubstr("the folder does not exist"));
}

TEST_F(IncludeFolders, WhatStudentsAreNotToSeeIsNone) {
  EXPECT_THAT(error_of("../../.."), HasSubstr("outside the course"));
  EXPECT_THAT(error_of("/usr/include"), HasSubstr("outside the course"));
  EXPECT_THAT(error_of("../../solutions/small"), HasSubstr("students do not receive"));
  EXPECT_THAT(error_of("link"), HasSubstr("students do not receive"));
  EXPECT_THAT(error_of("../../tests"), HasSubstr("students do not receive"));
  for (const auto* holds : {".", "..", "../..", "../other"}) {
    EXPECT_THAT(error_of(holds), HasSubstr("it holds a manifest")) << holds;
  }
}

TEST_F(IncludeFolders, AManifestNamesThem) {
  const auto text = manifest_with("summary", "include_folders = [\"own\"]\nsummary");
  const auto file = root_.write("labs/small/grader.toml", text);
  const auto lab = read_manifest(file, "labs/small/grader.toml", kVocabulary);
  ASSERT_EQ(1U, lab.include_folders.size());
  EXPECT_EQ("own", lab.include_folders[0].filename());
  root_.write("labs/small/grader.toml",
              manifest_with("summary", "include_folders = [\"none\"]\nsummary"));
  try {
    read_manifest(file, "labs/small/grader.toml", kVocabulary);
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("labs/small/grader.toml:2:19: include folder `none`"));
  }
}

// Manifests: the result of a valid one, and the wording and place of each mistake.

Lab parse(const std::string& text) {
  return parse_manifest(text, "labs/small/grader.toml", "small", kVocabulary);
}

std::string message(const std::string& text) {
  try {
    parse(text);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::string message_with(const std::string& from, const std::string& to) {
  return message(manifest_with(from, to));
}

// The message of read_manifest() for a file with this text.
std::string message_of_file(const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) / "manifest_test.toml";
  std::ofstream(file, std::ios::binary) << text;
  try {
    return "accepted, of " + read_manifest(file, "grader.toml", kVocabulary).title;
  } catch (const base::UsageError& error) {
    return error.what();
  }
}

TEST(Manifest, IsReadWholeUpTo4MiB) {
  const auto padded = [](std::size_t bytes) {
    const std::string text = kManifest;
    return std::string(bytes - text.size(), '\n') + text;
  };
  constexpr std::size_t kMost = std::size_t{4} << 20;
  EXPECT_EQ("accepted, of Small", message_of_file(kManifest));
  EXPECT_EQ("accepted, of Small", message_of_file(padded(kMost)));
  EXPECT_EQ("grader.toml: is larger than 4 MiB, which no manifest is",
            message_of_file(padded(kMost + 1)));
  EXPECT_EQ(message(""), message_of_file("").replace(0, 11, "labs/small/grader.toml"));
}

TEST(Manifest, ThatIsMissingOrAFolderCannotBeRead) {
  for (const std::filesystem::path file : {"/no/such.toml", "/"}) {
    try {
      read_manifest(file, "grader.toml", kVocabulary);
      ADD_FAILURE() << file;
    } catch (const base::UsageError& error) {
      EXPECT_STREQ("grader.toml: cannot be read", error.what());
    }
  }
}

TEST(Manifest, BecomesALab) {
  const auto lab = parse(kManifest);
  EXPECT_EQ("small", lab.id);
  EXPECT_EQ("Small", lab.title);
  ASSERT_EQ(1u, lab.exercises.size());
  const auto& exercise = lab.exercises.front();
  EXPECT_EQ("twice", exercise.id);
  EXPECT_EQ(6u, exercise.max_points());
  EXPECT_THAT(exercise.devices(), ElementsAre("h200", "k40"));
  const auto& kernel = kernel_in(lab);
  ASSERT_EQ(3u, kernel.parameters.size());
  const auto buffers = buffers_of(kernel.parameters);
  EXPECT_TRUE(buffers[0]->is_output());
  EXPECT_EQ(verify::ElementType::kF32, buffers[0]->type);
  EXPECT_EQ(verify::Fill::kDistinct, std::get<verify::Fill>(buffers[1]->content));
  ASSERT_EQ(3u, kernel.cases.size());
  EXPECT_FALSE(kernel.cases[1].measured);
  EXPECT_TRUE(kernel.cases[2].measured);
  EXPECT_THAT(kernel.gates[0].cases, testing::ElementsAre("large"));
  EXPECT_FALSE(kernel.gates[0].is_performance());
  EXPECT_TRUE(kernel.gates[1].is_performance());
  EXPECT_EQ(128, evaluate(*kernel.gates[0].max, kernel.cases[2].variables));
}

TEST(Manifest, UnknownKeyIsNamedWithTheNearestOne) {
  EXPECT_EQ("labs/small/grader.toml:2:1: lab: unknown key `sumary`, did you mean `summary`?",
            message_with("summary", "sumary"));
  EXPECT_EQ(
      "labs/small/grader.toml:32:11: case `large`: `measurd`: unknown key, did you mean "
      "`measured`?",
      message_with("measured = true", "measurd = true"));
  EXPECT_EQ("labs/small/grader.toml:32:10: case `large`: `colour`: unknown key",
            message_with("measured = true", "colour = true"));
}

TEST(Manifest, MissingKeyIsNamed) {
  EXPECT_THAT(message_with("kernel = \"twice(float* out, const float* in, int n)\"\n", ""),
              HasSubstr("exercise `twice`: the key `kernel` is missing"));
  EXPECT_THAT(
      message_with(", in = \"n\" }", " }"),
      HasSubstr("parameter `in` has no shape; an example: shapes = { in = \"height x width\" }"));
  EXPECT_THAT(message_with("max = \"n / 8\"\n", ""),
              HasSubstr("gate `stores`: `min`: a gate has `min`, `max` or both"));
}

TEST(Manifest, WrongTypeSaysWhichOneIsThere) {
  EXPECT_EQ(
      "labs/small/grader.toml:9:22: exercise `twice`: `correctness_points`: must be a whole "
      "number, but is a string; an example: correctness_points = 2",
      message_with("correctness_points = 3", "correctness_points = \"3\""));
  EXPECT_THAT(message_with("block = [256]", "block = 256"),
              HasSubstr("must be an array of 1 to 3 extents, but is a whole number"));
  EXPECT_THAT(message_with("measured = true", "measured = 1"),
              HasSubstr("must be true or false, but is a whole number"));
}

TEST(Manifest, AKindOfKernelIsOneThatProfilesKnow) {
  EXPECT_THAT(message_with("correctness_points = 3", "correctness_points = 3\nkind = \"stencils\""),
              HasSubstr("`kind`: there is no `stencils`, did you mean `stencil`?"));
}

TEST(Manifest, GateOnAnUnknownMetricOrDevice) {
  EXPECT_EQ(
      "labs/small/grader.toml:36:10: gate `stores`: `metric`: there is no metric `sector`, "
      "did you mean `sectors`?; the names are: fraction_of_copy, fraction_of_roofline, sectors",
      message_with("metric = \"sectors\"", "metric = \"sector\""));
  EXPECT_THAT(message_with("on = \"h200\"", "on = \"h20\""),
              HasSubstr("`on`: there is no device `h20`, did you mean `h200`?"));
}

TEST(Manifest, BoundsMustLeaveRoom) {
  EXPECT_THAT(
      message_with("max = \"n / 8\"", "max = \"n / 8\"\nmin = 200"),
      HasSubstr("gate `stores`: `min` is 200, more than `max`, which is 128 (`min` is at "));
}

TEST(Manifest, NamesAreThereOnce) {
  EXPECT_THAT(message_with("id = \"speed\"", "id = \"stores\""),
              HasSubstr("`stores` is there twice"));
  EXPECT_THAT(message_with("name = \"ragged\"", "name = \"one\""),
              HasSubstr("case `one`: is there twice"));
  EXPECT_THAT(message_with("id = \"twice\"", "id = \"../twice\""),
              HasSubstr("must be small letters, digits and _"));
}

TEST(Manifest, BadExpressionsAreFoundOnReading) {
  EXPECT_THAT(message_with("ceil_div(n, 256)", "ceil_div(m, 256)"),
              HasSubstr("labs/small/grader.toml:13:19: \"ceil_div(m, 256)\": unknown variable "
                        "`m`"));
  EXPECT_THAT(message_with("out = \"n\"", "out = \"n - 1\""),
              HasSubstr("parameter `out` has no elements"));
  EXPECT_THAT(message_with("block = [256]", "block = [0]"), HasSubstr("must be from 1 to"));
}

TEST(Manifest, ALaunchThatNoDeviceTakesIsFoundOnReading) {
  EXPECT_THAT(message_with("block = [256]", "block = [256]\nshared = \"2 ^ 32 + 1\""),
              HasSubstr("4294967297 bytes of dynamic shared memory"));
  EXPECT_THAT(message_with("block = [256]", "block = [64, 32]"),
              HasSubstr("a block of 2048 threads; no device takes more than 1024"));
  EXPECT_THAT(
      message_with("out = \"n\"", "out = \"2 ^ 30 + 1\""),
      HasSubstr("parameter `out` has 1 x 1073741825 elements of f32; a launch has room for"));
  EXPECT_THAT(message_with("shapes = {", "values = { n = \"2 ^ 31\" }\nshapes = {"),
              HasSubstr("parameter `n` is 2147483648, which does not fit type i32"));
}

TEST(Manifest, CasesShareTheirVariables) {
  EXPECT_THAT(message_with("n = 300", "m = 300"),
              HasSubstr("case `ragged`: the variables must be those of the first case: n"));
}

TEST(Manifest, TheSizeThatIsTimedMayBeDrawn) {
  Case item;
  item.variables = {{"width", 64}, {"factor", 2}};
  EXPECT_EQ(item.variables, item.speed_variables(7));
  item.timed_variables = {{"width", {"8192 + 32 * mod(draw, 16)", {}}}, {"factor", {"2", {}}}};
  EXPECT_EQ((text::Variables{{"width", 8192}, {"factor", 2}}), item.speed_variables(0));
  EXPECT_EQ((text::Variables{{"width", 8672}, {"factor", 2}}), item.speed_variables(255));
}

TEST(Manifest, ADrawnSizeIsCheckedOnReading) {
  const auto timed = [](const std::string& n) {
    auto out = manifest_with("block = [1]", "block = [1]\nelements_per_block = 1");
    const std::string from = "measured = true";
    return out.insert(out.find(from) + from.size(), "\ntimed = { n = " + n + " }");
  };
  const auto lab = parse(timed("\"512 + draw\""));
  EXPECT_EQ(521, kernel_in(lab).cases.back().speed_variables(9).at("n"));
  EXPECT_THAT(message(timed("\"512 + drew\"")),
              HasSubstr("unknown variable `drew`, did you mean `draw`?"));
  EXPECT_THAT(message(timed("\"200 - draw\"")), HasSubstr("labs/small/grader.toml:"));
  EXPECT_THAT(message(timed("true")), HasSubstr("a number or an expression in quotes"));
}

TEST(Manifest, GatesNeedAMeasuredCase) {
  EXPECT_THAT(message_with("measured = true\n", ""),
              HasSubstr("none is `measured = true`, and gates are measured"));
}

TEST(Manifest, AGateMayBeDecidedByTheWorstOfSeveralCases) {
  const auto cases = [](const std::string& to) {
    return kernel_in(parse(manifest_with("max = \"n / 8\"", "max = 200\n" + to))).gates[0].cases;
  };
  EXPECT_THAT(cases("worst_of = \"all\""), ElementsAre("one", "ragged", "large"));
  EXPECT_THAT(cases("worst_of = \"measured\""), ElementsAre("large"));
  EXPECT_THAT(cases("case = \"ragged\""), ElementsAre("ragged"));
  EXPECT_THAT(message_with("max = \"n / 8\"", "max = 200\nworst_of = \"all\"\ncase = \"one\""),
              HasSubstr("`case`: has no meaning beside `worst_of`"));
}

TEST(Manifest, ASpeedIsThatOfAMeasuredCase) {
  EXPECT_THAT(message_with("min = 0.5", "min = 0.5\ncase = \"ragged\""),
              HasSubstr("there is no case `ragged`; the names are: large"));
}

TEST(Manifest, AGateMayNeedOthersOfItsExercise) {
  const auto with_needs = [](const std::string& needs) {
    return "points = 2\nneeds = [\"" + needs + "\"]";
  };
  const auto lab = parse(manifest_with("points = 2", with_needs("speed")));
  EXPECT_THAT(kernel_in(lab).gates[0].needs, ElementsAre("speed"));
  EXPECT_THAT(kernel_in(lab).gates[1].needs, ElementsAre());
  for (const std::string needed : {"sped", "stores"}) {
    EXPECT_THAT(message_with("points = 2", with_needs(needed)),
                HasSubstr("gate `stores` needs `" + needed +
                          "`, which is not another gate of this exercise"));
  }
}

TEST(Manifest, SyntaxErrorsCarryTheirPlace) {
  EXPECT_THAT(message("title = \n"), HasSubstr("labs/small/grader.toml:1:"));
  EXPECT_THAT(message("title = \n"), HasSubstr("not valid TOML"));
  EXPECT_THAT(message(""), HasSubstr("lab: the key `title` is missing"));
}

TEST(Manifest, HintsMustNotBeEmpty) {
  EXPECT_THAT(message_with("hints = [\"first hint\", \"second hint\"]", "hints = []"),
              HasSubstr("`hints`: must not be empty"));
  EXPECT_THAT(message_with("\"second hint\"", "\"\""), HasSubstr("must not be empty"));
}

TEST(Manifest, KernelNamesTakeTheCasesVariables) {
  EXPECT_EQ("reduce<4>", kernel_name("reduce<{factor}>", {{"factor", 4}}));
  EXPECT_EQ("copy", kernel_name("copy", {}));
  EXPECT_THROW(kernel_name("reduce<{factr}>", {{"factor", 4}}), base::UsageError);
  EXPECT_THROW(kernel_name("reduce<{factor", {{"factor", 4}}), base::UsageError);
}

// A sample compares changed elements, so the reference must begin with the same contents.
TEST(Manifest, ALaunchWithABufferInPlaceIsExecutedWhole) {
  const auto with_inout = [](const std::string& more) {
    auto out = manifest_with("shapes = {", "roles = { out = \"inout\" }\nshapes = {");
    const std::string measured = "measured = true\n";
    out.insert(out.find(measured) + measured.size(), more);
    return out;
  };
  const auto lab = parse(with_inout(""));
  const auto& inout = *buffers_of(kernel_in(lab).parameters).at(0);
  EXPECT_TRUE(inout.is_input() && inout.is_output());
  EXPECT_THAT(
      message(with_inout("timed = { n = 4096 }\n")),
      HasSubstr("case `large`: of a launch with an \"inout\" buffer all blocks are executed; "
                "leave out `timed`"));
}

TEST(Manifest, ABufferInAStructIsAnOutputToo) {
  auto text = manifest_with("twice(float* out, const float* in, int n)", "twice(Pair p, int n)");
  const std::string shapes = "shapes = { out = \"n\", in = \"n\" }";
  text.replace(text.find(shapes), shapes.size(),
               "shapes = { p.out = \"n\", p.in = \"n\" }\n"
               "structs = { Pair = \"float* out, const float* in\" }");
  const auto lab = parse(text);
  EXPECT_EQ("p.out", buffers_of(kernel_in(lab).parameters).at(0)->name);
  EXPECT_THAT(message_with("float* out", "const float* out"),
              HasSubstr("writes through none of its pointers"));
}

TEST(Manifest, AGateOnSpeedMayHaveBoundsForGenerations) {
  const auto text = manifest_with(R"(next = "Be quick.")", R"(next = "Be quick."
share = 0.75

[exercise.gates.generations]
"8.6" = { min = "n / 4096" }
9 = { max = 1 })");
  const auto lab = parse(text);
  const auto& gate = kernel_in(lab).gates[1];
  EXPECT_FALSE(gate.simulated);
  EXPECT_EQ(0.75, gate.share);
  ASSERT_EQ(2U, gate.on_generation.size());
  EXPECT_EQ(8U, gate.on_generation[0].generation.major);
  EXPECT_EQ(6U, gate.on_generation[0].generation.minor);
  EXPECT_EQ(0.25, evaluate(*gate.on_generation[0].min, {{"n", 1024}}));
  EXPECT_FALSE(gate.on_generation[1].generation.minor);
  EXPECT_EQ(1, evaluate(*gate.on_generation[1].max, {}));
}

TEST(Manifest, WhatIsWrongWithThemHasItsPlace) {
  const auto wrong = [](const std::string& more) {
    return message_with(R"(next = "Be quick.")", "next = \"Be quick.\"\n" + more);
  };
  EXPECT_THAT(wrong("share = 1.5"), HasSubstr("must be above 0, at most 1"));
  EXPECT_THAT(wrong("generations = { \"8.x\" = { min = 1 } }"),
              HasSubstr("must be a compute capability"));
  EXPECT_THAT(wrong("generations = { 8 = {} }"), HasSubstr("there must be `min`, `max` or both"));
  EXPECT_THAT(
      message_with("max = \"n / 8\"", "max = \"n / 8\"\nsimulated = true"),
      HasSubstr("only a gate on fraction_of_copy or fraction_of_roofline is measured on a GPU"));
}

TEST(Manifest, BytesAndOperationsAreExpressionsOfTheCase) {
  auto text = manifest_with("correctness_points",
                            "bytes = \"bytes_in + 8\"\noperations = \"2 * n\"\ncorrectness_points");
  text.replace(text.find("fraction_of_copy"), 16, "fraction_of_roofline");
  const auto exercise = kernel_in(parse(text));
  EXPECT_EQ(4008, evaluate(*exercise.bytes, {{"n", 1000}}));
  EXPECT_EQ(2000, evaluate(*exercise.operations, {{"n", 1000}}));
  EXPECT_TRUE(exercise.gates[1].is_performance());
}

TEST(Manifest, OperationsArePositiveAndExcludeFractionOfCopy) {
  const auto with = [](const std::string& key) {
    return message_with("correctness_points", key + "\ncorrectness_points");
  };
  EXPECT_THAT(with("operations = \"n - 1\""),
              HasSubstr("exercise `twice`: `operations` is 0 in case `one`, and must be above 0"));
  EXPECT_THAT(with("operations = 5"),
              HasSubstr("an exercise with `operations` has "
                        "fraction_of_roofline instead of fraction_of_copy"));
}

TEST(Manifest, OperationsOnTensorCoresHaveTheirPeak) {
  const auto with = [](const std::string& keys) {
    auto text = manifest_with("correctness_points", keys + "\ncorrectness_points");
    text.replace(text.find("fraction_of_copy"), 16, "fraction_of_roofline");
    return text;
  };
  const std::string operations = "operations = \"2 * n\"\n";
  EXPECT_EQ(timing::ArithmeticKind::kF32, kernel_in(parse(with(operations))).arithmetic);
  EXPECT_EQ(timing::ArithmeticKind::kTensorF16,
            kernel_in(parse(with(operations + "arithmetic = \"tensor_f16\""))).arithmetic);
  EXPECT_THAT(message(with("arithmetic = \"tensor_f16\"")),
              HasSubstr("`arithmetic`: has no meaning without `operations`"));
  EXPECT_THAT(message(with(operations + "arithmetic = \"f17\"")), HasSubstr("tensor_f16"));
}

}  // namespace warpgrade::grader::course::manifest_test
