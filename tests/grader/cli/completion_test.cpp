// SPDX-License-Identifier: Apache-2.0
// Candidates for the next word of a command line; the names of exercises and devices are invented.
#include "grader/cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::cli::completion_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using Names = std::vector<std::string>;

Names after(const Names& words) {
  const CommandModel model;
  const ValueNames values = {
      {"--device",
       [] {
         return Names{"k20x", "k40", "h200"};
       }},
      {"LAB[/EXERCISE]",
       [] {
         return Names{"sums", "sums/one", "sums/two", "tiles"};
       }},
  };
  return completions(model, words, values);
}

TEST(Completion, OffersCommandsFirstButNotThoseForScripts) {
  EXPECT_EQ(after({}), after({""}));
  EXPECT_THAT(after({""}), AllOf(Contains("grade"), Contains("profile"), Contains("list")));
  EXPECT_THAT(after({""}), AllOf(Not(Contains("completion")), Not(Contains("counted-launch"))));
  EXPECT_THAT(after({"gr"}), ElementsAre("grade"));
  EXPECT_THAT(after({"x"}), IsEmpty());
  EXPECT_THAT(after({"--"}), ElementsAre("--help", "--version"));
}

TEST(Completion, OffersTheOptionsOfTheCommand) {
  EXPECT_THAT(after({"grade", "--se"}), ElementsAre("--seed"));
  EXPECT_THAT(after({"grade", "--"}), AllOf(Contains("--solutions"), Not(Contains("--grid"))));
  EXPECT_THAT(after({"grade", "--re"}), IsEmpty()) << "--repeat is hidden";
  EXPECT_THAT(after({"grad", "--"}), IsEmpty()) << "no such command";
}

TEST(Completion, OffersTheValuesOfAnOption) {
  EXPECT_THAT(after({"grade", "--backend", ""}), ElementsAre("auto", "gpu", "sim"));
  EXPECT_THAT(after({"profile", "--backend", "s"}), ElementsAre("sim"));
  EXPECT_THAT(after({"grade", "sums", "--device", "k"}), ElementsAre("k20x", "k40"));
  EXPECT_THAT(after({"grade", "--device", "="}), ElementsAre("h200", "k20x", "k40"));
  EXPECT_THAT(after({"grade", "--device", "=", "h"}), ElementsAre("h200"));
  EXPECT_THAT(after({"grade", "--json", ""}), IsEmpty()) << "files are the shell's";
}

TEST(Completion, OffersExercisesWhereOneMayStand) {
  EXPECT_THAT(after({"grade", "sums"}), ElementsAre("sums", "sums/one", "sums/two"));
  EXPECT_THAT(after({"grade", "--solutions", "t"}), ElementsAre("tiles"));
  EXPECT_THAT(after({"grade", "--seed", "7", "tiles", "sums/t"}), ElementsAre("sums/two"));
  EXPECT_THAT(after({"list", ""}), IsEmpty());
}

}  // namespace warpgrade::grader::cli::completion_test
