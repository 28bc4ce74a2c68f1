// SPDX-License-Identifier: Apache-2.0
// Checks the manual page against the model that generates it.
#include "grader/cli/man_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace warpgrade::grader::cli::man_page_test {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
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

}  // namespace warpgrade::grader::cli::man_page_test
