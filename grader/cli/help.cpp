// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/text/messages.h"

namespace warpgrade::grader::cli {
namespace {

struct CommandHelp {
  std::string_view group;
  std::string_view example;
};

constexpr std::string_view kExercises = "Work on exercises";
constexpr std::string_view kKernels = "Measure kernels";
constexpr std::string_view kCourse = "Run a course";
constexpr std::string_view kGrading = "Grade";
constexpr std::string_view kReading = "Read the grade book";
constexpr std::string_view kDeciding = "Decide about a student";

// By the names of the command and its parents.
const std::map<std::string, CommandHelp, std::less<>>& table() {
  static const std::map<std::string, CommandHelp, std::less<>> kTable = {
      {"list", {kExercises, "warpgrade list"}},
      {"grade", {kExercises, "warpgrade grade coalescing/copy --html report.html"}},
      {"hint", {kExercises, "warpgrade hint coalescing/copy --next"}},
      {"watch", {kExercises, "warpgrade watch coalescing"}},
      {"init", {kExercises, "warpgrade init course"}},
      {"profile",
       {kKernels,
        "warpgrade profile saxpy.cu --kernel saxpy --grid 4 --block 256 --device h200 --arg "
        "inout:f32:1024:iota --arg in:f32:1024:random:1 --arg f32:2 --arg i32:1024"}},
      {"study", {kKernels, "warpgrade study transpose --svg transpose.svg"}},
      {"devices", {kKernels, "warpgrade devices h200"}},
      {"occupancy",
       {kKernels, "warpgrade occupancy --device h200 --block 256 --registers 32 --shared 4352"}},
      {"calibrate", {kKernels, "warpgrade calibrate"}},
      {"new", {kCourse, "warpgrade new coalescing/gather"}},
      {"check", {kCourse, "warpgrade check coalescing"}},
      {"pack", {kCourse, "warpgrade pack ../course --labs coalescing,scan"}},
      {"class", {kCourse, "warpgrade class run grades.db submissions"}},
      {"class run", {kGrading, "warpgrade class run grades.db submissions.zip --workers 4"}},
      {"class status", {kReading, "warpgrade class status grades.db"}},
      {"class export",
       {kReading, "warpgrade class export grades.db --format csv --out grades.csv"}},
      {"class feedback", {kReading, "warpgrade class feedback grades.db feedback"}},
      {"class explain", {kReading, "warpgrade class explain grades.db ada"}},
      {"class extend",
       {kDeciding,
        "warpgrade class extend grades.db ada scan --until '2026-12-04 18:00' --by 'T. Lee' --why "
        "illness"}},
      {"class excuse",
       {kDeciding, "warpgrade class excuse grades.db ada scan --by 'T. Lee' --why illness"}},
      {"class adjust",
       {kDeciding,
        "warpgrade class adjust grades.db ada coalescing/copy --points 9 --by 'T. Lee' --why "
        "'explained it in person'"}},
      {"class match", {kDeciding, "warpgrade class match grades.db a.lovelace ada"}},
      {"class forget", {kDeciding, "warpgrade class forget grades.db ada"}},
  };
  return kTable;
}

// Names of values whose CLI11 type is only TEXT or FLOAT.
const std::map<std::string, const char*, std::less<>>& value_names() {
  static const std::map<std::string, const char*, std::less<>> kNames = {
      {"--arg", "SPEC"},          {"--block", "X[,Y[,Z]]"},   {"--bonus", "POINTS"},
      {"--by", "NAME"},           {"--cluster", "X[,Y[,Z]]"}, {"--compiler-option", "OPTION"},
      {"--csv", "FILE"},          {"--device", "PROFILE"},    {"--dump", "INDEX=FILE"},
      {"--feedback", "FOLDER"},   {"--figures", "FOLDER"},    {"--file", "PATH"},
      {"--folder", "FOLDER"},     {"--grid", "X[,Y[,Z]]"},    {"--html", "FILE"},
      {"--json", "FILE"},         {"--kernel", "NAME"},       {"--labs", "LAB,LAB"},
      {"--list-symbols", "FILE"}, {"--out", "FILE"},          {"--points", "POINTS"},
      {"--sequence", "FILE"},     {"--svg", "FILE"},          {"--symbol", "NAME=SPEC"},
      {"--why", "REASON"},
  };
  return kNames;
}

constexpr std::string_view kLaunch = "Launch";
constexpr std::string_view kPlace = "GPU and inputs";
constexpr std::string_view kOutput = "Output";

// Only the two commands with many options have groups of them.
const std::map<std::string, std::string_view, std::less<>>& option_groups() {
  static const std::map<std::string, std::string_view, std::less<>> kGroups = {
      {"--kernel", kLaunch},       {"--grid", kLaunch},     {"--block", kLaunch},
      {"--shared", kLaunch},       {"--arg", kLaunch},      {"--symbol", kLaunch},
      {"--cooperative", kLaunch},  {"--cluster", kLaunch},  {"--sequence", kLaunch},
      {"--device", kPlace},        {"--backend", kPlace},   {"--gpu", kPlace},
      {"--seed", kPlace},          {"--counters", kOutput}, {"--brief", kOutput},
      {"--json", kOutput},         {"--html", kOutput},     {"--ascii", kOutput},
      {"--format", kOutput},       {"--out", kOutput},      {"--dump", kOutput},
      {"--list-symbols", kOutput},
  };
  return kGroups;
}

void set_options(CLI::App& command) {
  const bool grouped = command.get_name() == "grade" || command.get_name() == "profile";
  for (auto* option : command.get_options()) {
    const auto name = option->get_name();
    const auto type = option->get_type_name();
    const auto value = value_names().find(name);
    const bool is_general = type.starts_with("TEXT") || type == "FLOAT";
    if (is_general && value != value_names().end()) option->type_name(value->second);
    const auto group = option_groups().find(name);
    if (grouped && group != option_groups().end()) option->group(std::string(group->second));
  }
}

// "class run" of the command `run`; empty for the program.
std::string full_name(const CLI::App& app) {
  if (app.get_parent() == nullptr) return {};
  const auto parent = full_name(*app.get_parent());
  return parent.empty() ? app.get_name() : parent + ' ' + app.get_name();
}

// A command in lines for a shell: all but the last end with a backslash, and later ones are
// indented.
std::string shell_lines(std::string_view command, std::size_t indent, std::size_t columns) {
  auto text = text::wrapped(command, indent, /*hang=*/false, columns - 6);
  for (auto at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 1)) {
    text.insert(at, " \\");
    at += 2;
    text.insert(at + 1, "    ");
  }
  return text;
}

// `example` with the program as the user calls it.
std::string called(std::string_view example, const std::string& call) {
  return call + std::string(example.substr(example.find(' ')));
}

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter(std::string call, std::size_t columns) : call_(std::move(call)), columns_(columns) {
    label("Positionals", "Arguments");
  }

  std::string make_description(const CLI::App* app) const override {
    return text::wrapped(app->get_description() + '.', 0, /*hang=*/false, columns_);
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    name.replace(0, std::min(name.find(' '), name.size()), call_);
    const auto parts =
        app->get_subcommands([](const CLI::App* part) { return !part->get_group().empty(); });
    if (parts.empty()) return CLI::Formatter::make_usage(app, name);
    return fmt::format("Usage: {0} COMMAND [OPTIONS]\n       {0} COMMAND --help\n", name);
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    auto out = CLI::Formatter::make_help(app, name, mode);
    for (auto at = out.find("\n\n\n"); at != std::string::npos; at = out.find("\n\n\n", at)) {
      out.erase(at, 1);
    }
    return out;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_items_expected_max() == 0) return {};
    if (option->nonpositional()) return ' ' + value_name(*option);
    return is_repeatable(*option) ? " ..." : "";
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    auto out = option->get_description();
    if (option->nonpositional() && is_repeatable(*option)) out += " (repeatable)";
    if (option->nonpositional() && option->get_required()) out += " (required)";
    return out;
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry("  " + make_option_name(option, is_positional) + make_option_opts(option),
                 make_option_desc(option), kOptions);
  }

  std::string make_subcommand(const CLI::App* command) const override {
    const auto example = called(table().find(full_name(*command))->second.example, call_);
    return entry("  " + command->get_name(), command->get_description(), kCommands) +
           shell_lines(example, kCommands + 2, columns_);
  }

 private:
  static constexpr std::size_t kCommands = 14;  ///< The column of their descriptions.
  static constexpr std::size_t kOptions = 26;

  static bool is_repeatable(const CLI::Option& option) {
    return option.get_expected_max() == CLI::detail::expected_max_vector_size;
  }

  // A name and its description, which starts on the next line if the name is long.
  std::string entry(std::string name, const std::string& description, std::size_t column) const {
    const auto text = text::wrapped(description, column, /*hang=*/true, columns_);
    if (name.size() + 2 > column) return name + '\n' + std::string(column, ' ') + text;
    name.resize(column, ' ');
    return name + text;
  }

  std::string call_;
  std::size_t columns_;
};

}  // namespace

void set_help(CLI::App& app, const std::string& call, std::size_t columns) {
  app.formatter(std::make_shared<HelpFormatter>(call, columns));
  set_options(app);
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    const auto& help = table().at(full_name(*command));
    command->group(std::string(help.group));
    command->footer("Example:\n" + shell_lines(called(help.example, call), 2, columns));
    set_help(*command, call, columns);
  }
}

std::string value_name(const CLI::Option& option) {
  auto name = option.get_type_name();
  const auto set = name.find(":{");
  if (set == std::string::npos) return name.substr(0, name.find(':'));
  name = name.substr(set + 2, name.find('}') - set - 2);
  std::replace(name.begin(), name.end(), ',', '|');
  return name;
}

std::vector<std::string> help_examples() {
  std::vector<std::string> out;
  for (const auto& [name, help] : table()) out.emplace_back(help.example);
  return out;
}

}  // namespace warpgrade::grader::cli
