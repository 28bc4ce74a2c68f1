// SPDX-License-Identifier: Apache-2.0
// Parses the command line and runs the command that it names.
//
// In: the words of the command line. Out: the exit code of the command. A misspelt command is
// reported with the nearest name.
// Shell completion and the manual page warpgrade(1) come from the same model, so they agree with
// --help and know every option and every added lab.
#include "grader/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/device/profile.h"
#include "grader/cli/command_model.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/course/course.h"
#include "grader/text/glossary.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::cli {
namespace {

constexpr const char* kCompleteCommand = "complete";

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// The members of a set, as CLI11 shows them: "TEXT:{auto,sim,gpu}".
Names members(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.rfind('}');
  Names out;
  if (open == std::string::npos || close == std::string::npos) return out;
  std::istringstream in(type.substr(open + 1, close - open - 1));
  for (std::string name; std::getline(in, name, ',');) out.push_back(name);
  return out;
}

Names values_of(const CLI::Option& option, const ValueNames& values) {
  const auto known = values.find(option.get_name());
  return known != values.end() ? known->second() : members(option.get_type_name());
}

// The long names of all options; -h only repeats --help.
Names option_names(const CLI::App& command) {
  Names out;
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const auto& name : option->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

// The option in the word before the last one, if it still needs a value.
const CLI::Option* waiting_option(const CLI::App& command, const Names& words) {
  if (words.size() < 2) return nullptr;
  const auto& before = words[words.size() - 2];
  if (!before.starts_with("-")) return nullptr;
  const auto* option = command.get_option_no_throw(before);
  return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

Names candidates(const CLI::App& command, const Names& words, const ValueNames& values) {
  if (const auto* option = waiting_option(command, words)) return values_of(*option, values);
  if (words.back().starts_with("-")) return option_names(command);
  Names out;
  for (const auto* option : command.get_options(
           [](const CLI::Option* candidate) { return candidate->get_positional(); })) {
    const auto more = values_of(*option, values);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

// The course's names; none if it cannot be read, since completion must not print messages.
template <typename Read>
auto unless_broken(Read read) {
  return [read] {
    try {
      return read();
    } catch (const base::UsageError&) {
      return Names();
    } catch (const fs::filesystem_error&) {
      return Names();
    }
  };
}

Names exercises() {
  Names out;
  std::vector<std::string> mistakes;
  for (const auto& lab : course::read_usable_labs(course::find_root(), mistakes).labs) {
    out.push_back(lab.id);
    for (const auto& exercise : lab.exercises) out.push_back(lab.id + '/' + exercise.id);
  }
  return out;
}

Names studies() {
  Names out;
  for (const auto& entry : fs::directory_iterator(course::find_root_of_studies() / "studies")) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path().stem().string());
  }
  return out;
}

Names glossary_words() {
  Names out;
  for (const auto& entry : text::glossary()) {
    out.insert(out.end(), entry.terms.begin(), entry.terms.end());
  }
  return out;
}

Names devices() {
  Names out;
  for (const auto* profile : device::profiles()) out.emplace_back(profile->name);
  return out;
}

}  // namespace

std::vector<std::string> completions(const CommandModel& model,
                                     const std::vector<std::string>& words,
                                     const ValueNames& values) {
  // "--device = k40" and "--device k40" are the same; before a value, "=" marks its beginning.
  Names cut;
  for (const auto& word : words) {
    if (word != "=") cut.push_back(word);
  }
  if (words.empty() || words.back() == "=") cut.emplace_back();

  Names out;
  const auto all = model.commands();
  const auto named = std::ranges::find(all, cut.front(), &CLI::App::get_name);
  if (cut.size() > 1) {
    if (named == all.end()) return {};
    const auto parts = (*named)->get_subcommands([](const CLI::App*) { return true; });
    const auto part = std::ranges::find(parts, cut[1], &CLI::App::get_name);
    if (parts.empty()) {
      out = candidates(**named, cut, values);
    } else if (cut.size() > 2 && part != parts.end()) {
      out = candidates(**part, cut, values);
    } else if (cut.size() == 2) {
      for (const auto* each : parts) out.push_back(each->get_name());
    }
  } else if (cut.front().starts_with("-")) {
    out = option_names(model.app);
  } else {
    for (const auto* command : all) out.push_back(command->get_name());
  }
  std::erase_if(out, [&](const std::string& name) { return !name.starts_with(cut.back()); });
  std::ranges::sort(out);
  return out;
}

/// The same with the course's own names, one per line; without a course, options and commands only.
static std::string completion_lines(const CommandModel& model,
                                    const std::vector<std::string>& words) {
  const ValueNames values = {{"--device", devices},
                             {"LAB[/EXERCISE]", unless_broken(exercises)},
                             {"NAME", devices},
                             {"WORD", glossary_words},
                             {"NAME|FILE.toml", unless_broken(studies)}};
  std::string out;
  for (const auto& name : completions(model, words, values)) out += name + '\n';
  return out;
}

/// The script that bash reads to complete `warpgrade` and `./warpgrade`.
static std::string bash_completion() {
  return R"(# bash completion for warpgrade, which says itself what may come next.
_warpgrade() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _warpgrade warpgrade
)";
}

namespace {

constexpr std::string_view kAfterCommands = R"(.SH EXIT STATUS
.TP
.B 0
Everything passed.
.TP
.B 1
Something was graded and did not pass, or the program under test failed.
.TP
.B 2
Wrong usage, or a mistake in a manifest.
.TP
.B 3
The tool itself could not do its task. This is never a grade.
.SH ENVIRONMENT
.TP
.B CUDA_HOME
The folder of a toolkit, of CUDA 12.4 to 13.
.TP
.B WARPGRADE_CARD
unknown: treat this machine's GPU as one without a profile.
.TP
.B WARPGRADE_GPU
Which of several GPUs, as --gpu.
.TP
.B WARPGRADE_ROOT
The folder of the course, which holds labs/.
)";

// Escapes text for roff: minus signs, and control characters at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

// "--seed UINT", "--backend TEXT:{auto,sim,gpu}", "LAB[/EXERCISE]...".
std::string usage_of(const CLI::Option& option) {
  const bool takes_value = option.get_items_expected_max() > 0;
  const bool takes_many = option.get_items_expected_max() > 1;
  auto out = option.get_name(option.get_positional(), !option.get_positional());
  if (takes_value && !option.get_positional()) out += ' ' + value_name(option);
  return takes_many ? out + "..." : out;
}

void add_options(std::string& out, const CLI::App& command) {
  for (const auto* option : command.get_options()) {
    // The page lists --help once, for the program.
    const bool repeated = command.get_parent() != nullptr && option == command.get_help_ptr();
    if (repeated || option->get_group().empty()) continue;
    out +=
        fmt::format(".TP\n.B {}\n{}\n", roff(usage_of(*option)), roff(option->get_description()));
  }
}

}  // namespace

std::string man_page(const CommandModel& model) {
  const auto line = version_line();
  auto out = fmt::format(
      ".TH WARPGRADE 1 \"\" \"{}\" \"User Commands\"\n"
      ".SH NAME\nwarpgrade \\- {}\n"
      ".SH SYNOPSIS\n.B warpgrade\n.I COMMAND\n.RI [ OPTION ]...\n"
      ".SH OPTIONS\n",
      roff(line.substr(0, line.find(" ("))), roff(model.app.get_description()));
  add_options(out, model.app);
  out += ".SH COMMANDS\n";
  for (const auto* command : model.commands()) {
    out += fmt::format(".SS warpgrade {}\n{}.\n", roff(command->get_name()),
                       roff(command->get_description()));
    add_options(out, *command);
    for (const auto* part : command->get_subcommands([](const CLI::App*) { return true; })) {
      out += fmt::format(".SS warpgrade {} {}\n{}.\n", roff(command->get_name()),
                         roff(part->get_name()), roff(part->get_description()));
      add_options(out, *part);
    }
  }
  return out.append(kAfterCommands);
}

namespace {

base::UsageError no_such_command(const CommandModel& model, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* command : model.commands()) names.push_back(command->get_name());
  return base::UsageError(fmt::format("unknown command `{}`{}; commands: {}", word,
                                      text::did_you_mean(word, names), text::joined(names)));
}

}  // namespace

int run_command(const CompletionOptions& /*options*/) {
  print(bash_completion());
  return 0;
}

int run_command(const ManPageOptions& /*options*/) {
  print(man_page(CommandModel()));
  return 0;
}

int run_command_line(int argc, char** argv) {
  CommandModel model;
  auto& app = model.app;
  // The following words are an incomplete command line, which no parser accepts.
  if (argc > 1 && std::string_view(argv[1]) == kCompleteCommand) {
    print(completion_lines(model, {argv + 2, argv + argc}));
    return 0;
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
  return model.run_chosen();
}

}  // namespace warpgrade::grader::cli
