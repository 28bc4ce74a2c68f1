// SPDX-License-Identifier: Apache-2.0
// The parsed command, and the help of each: groups, examples that the command line accepts, and its
// width.
#include "grader/cli/command_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <sstream>

#include "common/base/text.h"
#include "common/gpu/platform.h"

namespace warpgrade::grader::cli::command_model_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(CommandModel, TheNumberOfAGpuIsAValueAndNoStateOfTheProcess) {
  ASSERT_EQ(nullptr, std::getenv(gpu::kGpuVariable));
  CommandModel model;
  model.app.parse("grade --gpu 3");
  EXPECT_EQ(3, model.app.get_subcommand("grade")->get_option("--gpu")->as<int>());
  EXPECT_EQ(nullptr, std::getenv(gpu::kGpuVariable));
}

TEST(CommandModel, AProfilersChildTakesTheNumberOfTheGpu) {
  CommandModel model;
  EXPECT_NO_THROW(model.app.parse("counted-launch job --gpu 2"));
}

TEST(CommandModel, ANegativeNumberIsNoGpu) {
  CommandModel model;
  EXPECT_THROW(model.app.parse("calibrate --gpu=-1"), CLI::ParseError);
}

// Calls `visit` for each visible command of `app` and for their subcommands.
void for_each_command(const CLI::App& app, const std::function<void(const CLI::App&)>& visit) {
  for (const auto* command :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    visit(*command);
    for_each_command(*command, visit);
  }
}

TEST(Help, OfTheProgramHasGroupsAndAnExampleOfEachCommand) {
  CommandModel model;
  set_help(model.app, "./warpgrade", 100);
  const auto help = model.app.help();
  EXPECT_THAT(help, AllOf(HasSubstr("\nWork on exercises:\n"), HasSubstr("\nMeasure kernels:\n"),
                          HasSubstr("\nRun a course:\n")));
  EXPECT_THAT(help, HasSubstr("  hint        Show the hints of an exercise, one more at a time\n"
                              "                ./warpgrade hint coalescing/copy --next\n"));
  EXPECT_THAT(help, Not(HasSubstr("Subcommands")));
}

TEST(Help, OfEachCommandEndsWithAnExample) {
  CommandModel model;
  set_help(model.app, "warpgrade", 100);
  for_each_command(model.app, [&](const CLI::App& command) {
    EXPECT_THAT(command.help(), HasSubstr("\nExample:\n  warpgrade ")) << command.get_name();
  });
}

TEST(Help, ExamplesAreAccepted) {
  for_each_command(CommandModel().app, [](const CLI::App& command) {
    const auto example = command.get_footer();
    CommandModel model;
    EXPECT_NO_THROW(model.app.parse(example, /*program_name_included=*/true)) << example;
    EXPECT_TRUE(model.run_chosen) << example;
  });
}

TEST(Help, FitsTheTerminal) {
  CommandModel model;
  set_help(model.app, "./warpgrade", 80);
  const auto expect_narrow = [](const CLI::App& command) {
    std::istringstream lines(command.help());
    for (std::string line; std::getline(lines, line);) {
      // The list of an option's values is one word, which does not wrap.
      if (line.find('|') != std::string::npos) continue;
      EXPECT_GE(80u, base::columns_of(line)) << line;
    }
  };
  expect_narrow(model.app);
  for_each_command(model.app, expect_narrow);
}

TEST(Help, NamesValues) {
  CommandModel model;
  set_help(model.app, "warpgrade", 100);
  const auto help = model.app.get_subcommand("grade")->help();
  EXPECT_THAT(help,
              AllOf(HasSubstr("--backend auto|sim|gpu  Simulate"), HasSubstr("--json FILE "),
                    HasSubstr("\nOutput:\n"), Not(HasSubstr("TEXT")), Not(HasSubstr("Excludes"))));
}

}  // namespace warpgrade::grader::cli::command_model_test
