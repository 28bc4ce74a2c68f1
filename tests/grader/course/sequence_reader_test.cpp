// SPDX-License-Identifier: Apache-2.0
// Sequences of launches in a manifest: the result of a valid one, and the wording and place of each
// mistake.
#include "grader/course/sequence_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "common/base/error.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::course::sequence_reader_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

// kManifest, in which `out` is read and written, with these launches and a second buffer, scratch.
std::string text_with(const std::string& launches) {
  auto out =
      manifest_with("[exercise.launch]\ngrid = [\"ceil_div(n, 256)\"]\nblock = [256]\n", launches);
  const auto replace = [&](const std::string& from, const std::string& to) {
    out.replace(out.find(from), from.size(), to);
  };
  replace("shapes = { out = \"n\", in = \"n\" }",
          "roles = { out = \"inout\", other = \"scratch\" }\nfill = { out = \"iota\" }\n"
          "shapes = { out = \"n\", in = \"n\", other = \"n\" }");
  replace("kernel = \"twice_reference\"",
          "kernel = \"twice_reference(float* out, const float* in, int n, float* other)\"");
  return out;
}

KernelExercise exercise_with(const std::string& launches) {
  return kernel_in(parse_manifest(text_with(launches), "grader.toml", "small", kVocabulary));
}

std::string message_of(const std::string& text) {
  try {
    parse_manifest(text, "grader.toml", "small", kVocabulary);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::string message_with(const std::string& launches) { return message_of(text_with(launches)); }

constexpr const char* kTwo = R"toml([[exercise.launch]]
grid = [1]
block = [32]
arguments = ["other", "out", "n"]
times = "n - n + 3"
swap = ["out", "other"]

[[exercise.launch]]
kernel = "last(float* out)"
grid = ["step + 1"]
block = [64]
)toml";

TEST(SequenceReader, OneLaunchTakesAllParameters) {
  const auto exercise = kernel_in(parse_manifest(kManifest, "grader.toml", "small", kVocabulary));
  ASSERT_THAT(exercise.steps, SizeIs(1));
  EXPECT_THAT(exercise.steps[0].arguments, ElementsAre(0, 1, 2));
  EXPECT_THAT(exercise.reference_arguments, ElementsAre(0, 1, 2));
  EXPECT_FALSE(exercise.is_sequence());
  EXPECT_EQ("twice(float*, const float*, int)", exercise.signatures());
}

TEST(SequenceReader, ALaunchHasTheExercisesKernelOrItsOwn) {
  const auto exercise = exercise_with(kTwo);
  EXPECT_TRUE(exercise.is_sequence());
  ASSERT_THAT(exercise.steps, SizeIs(2));
  EXPECT_EQ("twice", exercise.steps[0].kernel);
  EXPECT_THAT(exercise.steps[0].arguments, ElementsAre(3, 0, 2));
  EXPECT_THAT(exercise.steps[0].swaps, ElementsAre(Pair(0, 2)));
  EXPECT_EQ("last", exercise.steps[1].kernel);
  EXPECT_EQ("last(float*)", exercise.steps[1].signature);
  EXPECT_EQ("twice(float*, const float*, int), last(float*)", exercise.signatures());
}

TEST(SequenceReader, StepsAndRoundsAreCounted) {
  auto exercise = exercise_with(kTwo);
  exercise.rounds = {"2", {}};
  std::vector<std::string> all;
  for_each_launch(
      exercise, {{"n", 8}},
      [&](const Step& step, const text::Variables& variables) {
        all.push_back(step.kernel + std::to_string(static_cast<int>(variables.at("round"))) +
                      std::to_string(static_cast<int>(variables.at("step"))));
      },
      [&](std::size_t a, std::size_t b) {
        all.back() += " " + std::to_string(a) + std::to_string(b);
      });
  EXPECT_THAT(all, ElementsAre("twice00 02", "twice01 02", "twice02 02", "last00", "twice10 02",
                               "twice11 02", "twice12 02", "last10"));
}

std::string launch_of(const std::string& more) {
  return "[[exercise.launch]]\ngrid = [1]\nblock = [32]\n" + more;
}

TEST(SequenceReader, MistakesNameTheirPlaceAndWhatToWrite) {
  EXPECT_EQ(
      "grader.toml:17:13: launch of `twice`: `arguments`: unknown parameter `outt`, did you "
      "mean "
      "`out`?; the parameters are: out, in, n, other",
      message_with(launch_of("arguments = [\"outt\", \"in\", \"n\"]\n")));
  EXPECT_THAT(
      message_with(launch_of("swap = [\"in\", \"other\"]\n")),
      HasSubstr("parameter `in` is not a buffer that may be written: only those of role out, "
                "inout and scratch change places"));
  EXPECT_THAT(message_with(launch_of("swap = [\"out\"]\n")),
              HasSubstr("names pairs of parameters whose buffers change places"));
  EXPECT_THAT(message_with(launch_of("swap = [\"out\", \"out\"]\n")),
              HasSubstr("`out` is there twice"));
  EXPECT_THAT(message_with(launch_of("times = 1025\n")),
              HasSubstr("a case is more than 1024 launches"));
  EXPECT_THAT(message_with(launch_of("times = 0\n")), HasSubstr("a case has no launch"));
  EXPECT_THAT(message_with("rounds = 1e9\n" + launch_of("times = 0\n")),
              HasSubstr("more than 1024 rounds"));
  EXPECT_THAT(message_with(launch_of("time = 2\n")), HasSubstr("`time`"));
  EXPECT_THAT(message_with(launch_of("times = 2\ngridd = 1\n")), HasSubstr("did you mean `grid`"));
  EXPECT_THAT(message_with("[[exercise.launch]]\ngrid = [\"1 - step\"]\nblock = [1]\ntimes = 2\n"),
              HasSubstr("an extent of the launch is 0"));
}

// A struct points to both buffers, as programs often keep the source and destination of a step.
TEST(SequenceReader, FieldsOfAStructureChangePlaces) {
  auto text = text_with(launch_of("swap = [\"state.from\", \"state.to\"]\n"));
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(
      "const float* in, int n)\"\n",
      "const float* in, int n, State state)\"\nstructs = { State = \"float* from, float* to\" }\n");
  replace("roles = {", "roles = { state.from = \"inout\", state.to = \"inout\",");
  replace("shapes = {", "shapes = { state.from = \"n\", state.to = \"n\",");
  EXPECT_EQ("accepted", message_of(text));
  EXPECT_THAT(kernel_in(parse_manifest(text, "grader.toml", "small", kVocabulary)).steps[0].swaps,
              ElementsAre(Pair(2, 3)));
}

TEST(SequenceReader, BuffersThatChangePlacesHaveTheSameSize) {
  auto text = text_with(launch_of("swap = [\"out\", \"other\"]\n"));
  const std::string shape = "other = \"n\"";
  text.replace(text.find(shape), shape.size(), "other = \"n + 1\"");
  EXPECT_THAT(message_of(text),
              HasSubstr("`out` and `other` change places, but have not the same"));
}

TEST(SequenceReader, ASequenceIsNotSampled) {
  auto text = text_with(launch_of("times = 2\n"));
  const std::string measured = "measured = true";
  text.replace(text.find(measured), measured.size(), "measured = true\ntimed = { n = 4096 }");
  EXPECT_THAT(
      message_of(text),
      HasSubstr("case `large`: `timed` is for an exercise of one launch. A "
                "sequence of launches is executed whole, and its speed is graded at the size of "
                "the case"));
}

// The reference would start from the results of the submission's launch.
TEST(SequenceReader, WhatIsReadAndWrittenIsNotSampled) {
  auto text = manifest_with("shapes = {", "roles = { out = \"inout\" }\nshapes = {");
  EXPECT_EQ("accepted", message_of(text));
  const std::string measured = "measured = true";
  text.replace(text.find(measured), measured.size(), "measured = true\ntimed = { n = 4096 }");
  EXPECT_THAT(
      message_of(text),
      HasSubstr("case `large`: of a launch with an \"inout\" buffer all blocks are executed; "
                "leave out `timed`"));
}

TEST(SequenceReader, VariablesOfACaseDoNotCountLaunches) {
  auto text = text_with(launch_of("times = 2\n"));
  for (auto at = text.find("\nn = "); at != std::string::npos; at = text.find("\nn = ", at + 11)) {
    text.replace(at, 1, "\nstep = 1\n");
  }
  EXPECT_THAT(message_of(text), HasSubstr("the variable `step` counts launches here"));
}

}  // namespace warpgrade::grader::course::sequence_reader_test
