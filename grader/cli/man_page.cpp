// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/man_page.h"

#include <fmt/format.h>

#include <string_view>

#include "grader/cli/help.h"
#include "grader/cli/version.h"

namespace warpgrade::grader::cli {
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

}  // namespace warpgrade::grader::cli
