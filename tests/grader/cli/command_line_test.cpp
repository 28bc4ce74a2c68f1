// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command_line.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "grader/cli/command_model.h"

namespace warpgrade::grader::cli::command_line_test {

// Candidates for the next word of a command line; the names of exercises and devices are invented.

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

// Checks the manual page against the model that generates it.

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ManPage, HasEveryCommandWithItsOptions) {
  const CommandModel model;
  const auto page = man_page(model);
  for (const auto* command : model.commands()) {
    EXPECT_THAT(page, HasSubstr(fmt::format(".SS warpgrade {}\n", command->get_name())));
    for (const auto* option : command->get_options()) {
      if (option->get_group().empty()) continue;
      for (const auto& name : option->get_lnames()) {
        EXPECT_THAT(page, HasSubstr(std::regex_replace("--" + name, std::regex("-"), "\\-")));
      }
    }
  }
  EXPECT_THAT(page, HasSubstr(".B \\-\\-seed N\nSeed of the inputs\n"));
  EXPECT_THAT(
      page,
      HasSubstr(
          ".B LAB[/EXERCISE]...\nLabs or exercises, such as coalescing or coalescing/copy\n"));
}

TEST(ManPage, HasNothingThatIsForScripts) {
  const auto page = man_page(CommandModel());
  EXPECT_THAT(page, Not(HasSubstr("counted")));
  EXPECT_THAT(page, Not(HasSubstr("repeat")));
}

TEST(ManPage, BeginsLinesWithKnownRequestsOnly) {
  std::istringstream page(man_page(CommandModel()));
  for (std::string line; std::getline(page, line);) {
    EXPECT_NE("", line);
    EXPECT_THAT(line, Not(StartsWith("'")));
    if (!line.starts_with('.')) continue;
    EXPECT_THAT(line.substr(0, line.find(' ')),
                AnyOf(".TH", ".SH", ".SS", ".TP", ".B", ".I", ".RI"));
  }
}

}  // namespace warpgrade::grader::cli::command_line_test
