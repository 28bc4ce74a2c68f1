// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command_line.h"

#include <fmt/format.h>

#include <string_view>

#include "common/base/error.h"
#include "common/gpu/counted_launch.h"
#include "grader/cli/command_model.h"
#include "grader/cli/completion.h"
#include "grader/cli/man_page.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::cli {
namespace {

base::UsageError no_such_command(const CommandModel& model, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* command : model.commands()) names.push_back(command->get_name());
  return base::UsageError(fmt::format("unknown command `{}`{}; commands: {}", word,
                                      text::did_you_mean(word, names), text::joined(names)));
}

int print_text(const std::string& text) {
  print(text);
  return 0;
}

int run_class_chosen(const CommandModel& model, const std::string& chosen) {
  if (chosen == "run") return run_class_run(model.class_);
  if (chosen == "status") return run_class_status(model.class_);
  if (chosen == "export") return run_class_export(model.class_);
  if (chosen == "feedback") return run_class_feedback(model.class_);
  if (chosen == "extend") return run_class_extend(model.class_);
  if (chosen == "excuse") return run_class_excuse(model.class_);
  if (chosen == "match") return run_class_match(model.class_);
  if (chosen == "explain") return run_class_explain(model.class_);
  if (chosen == "forget") return run_class_forget(model.class_);
  return run_class_adjust(model.class_);
}

int run_chosen(const CommandModel& model) {
  const auto chosen = model.app.get_subcommands().front()->get_name();
  if (chosen == "list") return run_list();
  if (chosen == "grade") return run_grade(model.grade);
  if (chosen == "profile") return run_profile(model.profile);
  if (chosen == "study") return run_study_command(model.study);
  if (chosen == "devices" && !model.device_file.empty())
    return run_probe(model.device_file, model.device_gpu);
  if (chosen == "devices") return run_devices(model.device);
  if (chosen == "occupancy") return run_occupancy(model.occupancy);
  if (chosen == "init") return run_init(model.init);
  if (chosen == "new") return run_new(model.new_exercise);
  if (chosen == "pack") return run_pack(model.pack);
  if (chosen == "hint") return run_hint(model.hint);
  if (chosen == "watch") return run_watch(model.watch);
  if (chosen == "calibrate") return run_calibrate(model.calibrate);
  if (chosen == gpu::kCountedLaunchCommand)
    return run_counted_launch(model.counted_launch, model.device_gpu);
  if (chosen == "class") {
    const auto* parent = model.app.get_subcommands().front();
    return run_class_chosen(model, parent->get_subcommands().front()->get_name());
  }
  if (chosen == "class-worker") return run_class_worker(model.class_worker);
  if (chosen == "class-card") return run_class_card();
  if (chosen == "class-judge") return run_class_judge(model.class_worker);
  if (chosen == "class-unpack") return run_class_unpack(model.class_worker);
  if (chosen == "class-names") return run_class_names();
  if (chosen == "completion") return print_text(bash_completion());
  if (chosen == "man-page") return print_text(man_page(model));
  return run_check(model.check);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CommandModel model;
  auto& app = model.app;
  // The following words are an incomplete command line, which no parser accepts.
  if (argc > 1 && std::string_view(argv[1]) == kCompleteCommand) {
    return print_text(completion_lines(model, {argv + 2, argv + argc}));
  }
  if (argc == 1) return run_overview();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // For a misspelt command, CLI11 only reports that one is missing.
    const bool misspelt = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-' &&
                          error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
    if (misspelt) throw no_such_command(model, argv[1]);
    // CLI11 has an exit code for each mistake; the contract has one for all of them.
    constexpr int kUsage = 2;
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : kUsage;
  }
  return run_chosen(model);
}

}  // namespace warpgrade::grader::cli
