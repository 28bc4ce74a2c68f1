// SPDX-License-Identifier: Apache-2.0
// The commands with their options and texts, and how their help looks.
// One file of more than 800 lines, because it is one table.
#include "grader/cli/command_model.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/base/text.h"
#include "common/gpu/ncu.h"
#include "common/run/launch.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/course/manifest.h"
#include "grader/report/formats/formats.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cli {
/// How --help shows a command. Processes and commands for shells have no group, and no help lists
/// them.
struct CommandText {
  const char* name;
  const char* description = "";
  const char* group = "";
  const char* example = "";
};

namespace {

// How --help looks: commands in groups with an example each, options without CLI11's lists of
// excluded ones, and lines that fit the terminal.

// Names of values whose CLI11 type is only TEXT or FLOAT.
const std::map<std::string, const char*, std::less<>>& value_names() {
  static const std::map<std::string, const char*, std::less<>> kNames = {
      {"--arg", "SPEC"},         {"--block", "X[,Y[,Z]]"},   {"--bonus", "POINTS"},
      {"--by", "NAME"},          {"--cluster", "X[,Y[,Z]]"}, {"--compiler-option", "OPTION"},
      {"--csv", "FILE"},         {"--device", "PROFILE"},    {"--dump", "INDEX=FILE"},
      {"--feedback", "FOLDER"},  {"--figures", "FOLDER"},    {"--file", "PATH"},
      {"--folder", "FOLDER"},    {"--grid", "X[,Y[,Z]]"},    {"--html", "FILE"},
      {"--json", "FILE"},        {"--kernel", "NAME"},       {"--labs", "LAB,LAB"},
      {"--list-kernel", "FILE"}, {"--list-symbols", "FILE"}, {"--out", "FILE"},
      {"--points", "POINTS"},    {"--sequence", "FILE"},     {"--svg", "FILE"},
      {"--symbol", "NAME=SPEC"}, {"--why", "REASON"},
  };
  return kNames;
}

constexpr std::string_view kLaunch = "Launch";
constexpr std::string_view kPlace = "GPU and inputs";
constexpr std::string_view kOutput = "Output";

// Only the two commands with many options have groups of them.
const std::map<std::string, std::string_view, std::less<>>& option_groups() {
  static const std::map<std::string, std::string_view, std::less<>> kGroups = {
      {"--kernel", kLaunch},      {"--grid", kLaunch},         {"--block", kLaunch},
      {"--shared", kLaunch},      {"--arg", kLaunch},          {"--symbol", kLaunch},
      {"--cooperative", kLaunch}, {"--cluster", kLaunch},      {"--sequence", kLaunch},
      {"--device", kPlace},       {"--backend", kPlace},       {"--gpu", kPlace},
      {"--seed", kPlace},         {"--counters", kOutput},     {"--brief", kOutput},
      {"--json", kOutput},        {"--html", kOutput},         {"--ascii", kOutput},
      {"--format", kOutput},      {"--out", kOutput},          {"--dump", kOutput},
      {"--list-kernel", kOutput}, {"--list-symbols", kOutput},
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
    return entry("  " + command->get_name(), command->get_description(), kCommands) +
           shell_lines(called(command->get_footer(), call_), kCommands + 2, columns_);
  }

  // A command's footer is its example.
  std::string make_footer(const CLI::App* app) const override {
    const auto example = app->get_footer();
    if (example.empty()) return {};
    return "Example:\n" + shell_lines(called(example, call_), 2, columns_) + '\n';
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
    if (!command->get_group().empty()) set_help(*command, call, columns);
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

namespace {

// The options of each command.

/// A whole number from `least` on, as parse_count() reads it: CLI11 reads a leading zero as octal,
/// and wraps negative or too large numbers.
template <typename T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value,
                        const std::string& description, T least = 0) {
  const auto read = [name, least, &value](const CLI::results_t& given) {
    constexpr auto kMost = std::numeric_limits<T>::max();
    const auto number = text::parse_count(given.front());
    if (!number || *number < least || *number > kMost) {
      throw CLI::ValidationError(name,
                                 fmt::format("{}: must be a whole number from {} to {}",
                                             base::escape_controls(given.front()), least, kMost));
    }
    value = static_cast<T>(*number);
    return true;
  };
  return command.add_option(name, read, description)->type_name("N");
}

void add_gpu(CLI::App& command, std::optional<int>& gpu) {
  const auto choose = [&gpu](const std::string& text) {
    const auto number = text::parse_count(text);
    if (!number || *number > std::numeric_limits<int>::max()) {
      throw CLI::ValidationError(
          "--gpu", base::escape_controls(text) + ": must be the number of a GPU, from 0 on");
    }
    gpu = static_cast<int>(*number);
  };
  command
      .add_option_function<std::string>("--gpu", choose, "Number of the GPU, as the driver counts")
      ->type_name("N");
}

void add_backend(CLI::App& command, std::optional<run::Backend>& backend,
                 const std::string& description, const std::vector<std::string>& names) {
  const auto choose = [&backend](const std::string& text) { backend = run::backend_called(text); };
  command.add_option_function<std::string>("--backend", choose, description)
      ->check(CLI::IsMember(names));
}

void add_options(CLI::App& command, GradeOptions& options) {
  command.add_option("LAB[/EXERCISE]", options.selections,
                     "Labs or exercises, such as coalescing or coalescing/copy");
  auto* solutions =
      command.add_flag("--solutions", options.solutions, "Grade the course's own solutions");
  command.add_option("--file", options.file, "File or folder to grade, for a single exercise")
      ->excludes(solutions);
  command
      .add_option("--folder", options.folder,
                  "Folder of the submission, which contains --file or the files of all graded "
                  "exercises; #include reaches all of it")
      ->excludes(solutions);
  add_backend(command, options.backend,
              "Simulate or use the GPU (default: auto, the GPU if available)",
              {"auto", "sim", "gpu"});
  add_gpu(command, options.gpu);
  command.add_option("--device", options.device,
                     "Check only gates for this profile (gpu: only measured gates)");
  add_number(command, "--seed", options.seed, "Seed of the inputs");
  command.add_flag("--counters", options.counters,
                   "Show the GPU's own counters beside the simulator's");
  command.add_flag("--brief", options.brief, "Print one line per exercise");
  command.add_option("--json", options.json,
                     "Also write the report to this file, as JSON (-: print only that)");
  command.add_option("--html", options.html,
                     "Also write a page with pictures of the kernel's accesses to this file");
  command.add_flag("--ascii", options.ascii, "Also show these pictures as text");
  auto* format =
      command.add_option("--format", options.format, "Format of the report for another program")
          ->check(CLI::IsMember(report::format_names()));
  auto* out = command.add_option("--out", options.out, "The file for --format")->needs(format);
  format->needs(out);
  // For tests/gpu/repeat_grades.py.
  add_number<std::size_t>(command, "--repeat", options.repeat, "Grade each so many times", 1)
      ->group("");
}

void add_options(CLI::App& command, ProfileOptions& options) {
  command.add_option("FILE", options.file, "CUDA C++ or PTX file with the kernel")->required();
  auto* other = command.add_option("OTHER", options.other,
                                   "Another version of the kernel, for the same launch: both are "
                                   "shown side by side");
  auto* compare =
      command
          .add_option("--compare", options.compare,
                      "Show the kernel beside an earlier profile, which --json wrote to this file")
          ->type_name("FILE")
          ->excludes(other);
  auto* sequence = command.add_option(
      "--sequence", options.sequence,
      "TOML file with buffers and several launches, which count as one; instead of "
      "--kernel and the other options of a launch");
  sequence->excludes(other)->excludes(compare);
  command
      .add_option("--kernel", options.kernel,
                  "Name, or instance such as reduce<4> (default: the file's only kernel)")
      ->excludes(sequence);
  command.add_option("--grid", options.grid, "Blocks of the grid")->excludes(sequence);
  command.add_option("--block", options.block, "Threads of a block")->excludes(sequence);
  add_number(command, "--shared", options.shared_bytes,
             "Dynamic shared memory in bytes (default: 0)")
      ->excludes(sequence);
  command
      .add_flag("--cooperative", options.cooperative,
                "Cooperative launch: all blocks are resident, for grid.sync()")
      ->excludes(sequence);
  command.add_option("--cluster", options.cluster, "Blocks of a thread block cluster")
      ->excludes(sequence);
  command
      .add_option("--device", options.device,
                  "GPU to simulate, see `devices` (default: h200); several between commas, or all, "
                  "make a table")
      ->type_name("PROFILE[,PROFILE]...");
  add_backend(command, options.backend, "Simulate or use the GPU (default: sim)", {"sim", "gpu"});
  add_gpu(command, options.gpu);
  command
      .add_option("--arg", options.arguments,
                  "One per parameter, in order. Scalars: f32:1.5, i32:5, or int:5 in the "
                  "parameter's width. Buffers: in:TYPE:COUNT:INIT, inout:TYPE:COUNT:INIT, "
                  "out:TYPE:COUNT, or same:INDEX for an earlier one; COUNT is an expression, or "
                  "ROWSxCOLUMNS, TYPE rBYTES for records; INIT is zeros, iota, random:SEED or "
                  "file:PATH (raw, or .npy). "
                  "Structs: struct:HEXBYTES, with &INDEX between commas "
                  "for an address")
      ->allow_extra_args(false)
      ->excludes(sequence);
  command
      .add_option("--symbol", options.symbols,
                  "Set a __constant__ or __device__ variable; SPEC is a buffer as in --arg")
      ->allow_extra_args(false)
      ->excludes(sequence);
  command.add_option("-I", options.include_folders, "Folder of headers for #include")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command
      .add_option("--dump", options.dumps,
                  "Write the buffer of this parameter, or of the sequence, to a file; INDEX.0 is a "
                  "struct's first address, and NAME=FILE a variable of --symbol")
      ->allow_extra_args(false);
  command
      .add_option("--compiler-option", options.compiler_options,
                  "Option of NVRTC, such as -DN=4, -std=c++20 or --use_fast_math")
      ->allow_extra_args(false);
  command.add_option("--list-symbols", options.list_symbols,
                     "Only write the variables of the file to this file, as JSON");
  command.add_option(
      "--list-kernel", options.list_kernel,
      "Only write the kernel's parameters, resources and limits to this file, as JSON");
  // For a process that answers many requests (requests.h).
  command.add_option("--same-program", options.same_program)->group("");
  command.add_option("--json", options.json,
                     "Also write the report to this file, as JSON (-: print only that)");
  command.add_option("--html", options.html, "Also write a page with pictures to this file");
  auto* format =
      command
          .add_option("--format", options.format, "Format of the faults for another program: sarif")
          ->check(CLI::IsMember({"sarif"}));
  auto* out = command.add_option("--out", options.out, "The file for --format")->needs(format);
  format->needs(out);
}

void add_options(CLI::App& command, VerifyOptions& options) {
  command.add_option("NEW", options.file, "CUDA C++ or PTX file with the new kernel")->required();
  command.add_option("--against", options.against, "File with the old kernel, which is right")
      ->type_name("OLD")
      ->required();
  command.add_option("--kernel", options.kernel,
                     "Name, or instance such as reduce<4> (default: the file's only kernel)");
  command.add_option("--old-kernel", options.old_kernel,
                     "The old kernel, if it has another name or other types of parameters");
  command
      .add_option("--size", options.sizes,
                  "Limits of a size: NAME=LEAST..MOST, with :STEP at the end if need be; LEAST and "
                  "MOST are expressions of earlier sizes. NAME=VALUE for one that follows from "
                  "others")
      ->type_name("NAME=LEAST..MOST")
      ->allow_extra_args(false);
  command.add_option("--grid", options.grid, "Blocks of the grid: expressions of the sizes");
  command.add_option("--block", options.block, "Threads of a block, likewise");
  command.add_option("--shared", options.shared, "Dynamic shared memory in bytes (default: 0)");
  command.add_option("--old-grid", options.old_grid, "Launch of the old kernel, if it differs")
      ->type_name("X[,Y[,Z]]");
  command.add_option("--old-block", options.old_block, "Likewise")->type_name("X[,Y[,Z]]");
  command.add_option("--old-shared", options.old_shared, "Likewise")->type_name("BYTES");
  command.add_flag("--cooperative", options.cooperative, "Cooperative launches");
  command
      .add_option("--arg", options.arguments,
                  "One per parameter, in order: in:TYPE:SHAPE, inout:TYPE:SHAPE, "
                  "out:TYPE:SHAPE[:total], scratch:TYPE:SHAPE, same:INDEX or TYPE:VALUE. SHAPE is "
                  "COUNT or ROWS x COLUMNS; it and VALUE are "
                  "expressions of the sizes. A fill such as :below(n) fixes an input's content")
      ->allow_extra_args(false);
  command
      .add_option("--ulps", options.ulps,
                  "Permitted difference of floats, in units in the last place (default: 0, "
                  "every bit is compared)")
      ->type_name("N");
  command
      .add_option("--magnitude", options.magnitude,
                  "The units of --ulps are those of a number of at least this size; `largest` "
                  "is the largest magnitude of the old output")
      ->type_name("VALUE");
  command.add_option("--inputs", options.inputs, "Use only this kind of inputs")->type_name("KIND");
  add_number<std::size_t>(command, "--cases", options.cases, "Cases to compare (default: 100)", 1);
  command
      .add_option("--at", options.at,
                  "A size at which counters and times are compared (default: the largest)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--device", options.device, "GPU to simulate, see `devices` (default: h200)");
  add_number(command, "--seed", options.seed, "Seed of sizes, inputs and orders");
  command.add_option("-I", options.include_folders, "Folder of headers for #include")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command
      .add_option("--compiler-option", options.compiler_options,
                  "Option of NVRTC, such as -DN=4, -std=c++20 or --use_fast_math")
      ->allow_extra_args(false);
  command.add_option("--json", options.json, "Also write the report to this file, as JSON");
}

void add_options(CLI::App& command, StudyOptions& options) {
  command.add_option("NAME|FILE.toml", options.study,
                     "A study in the folder studies, or your own file");
  command.add_option("--device", options.device,
                     "GPU to simulate (default: the devices of the study)");
  command.add_option("--csv", options.csv, "Also write all runs to this file");
  command.add_option("--svg", options.svg, "Draw the figure to this file (needs gnuplot)");
}

void add_options(CLI::App& command, OccupancyOptions& options) {
  command.add_option("--device", options.device, "GPU, see `devices`")->required();
  add_number(command, "--block", options.block, "Threads per block")->required();
  add_number(command, "--registers", options.registers, "Registers per thread")->required();
  add_number(command, "--shared", options.shared_bytes, "Shared bytes per block")->required();
}

void add_options(CLI::App& command, DevicesOptions& options) {
  auto* shown = command.add_option(
      "NAME", options.name, "GPU profile, or your own file FILE.toml (default: a table of all)");
  auto* json = command.add_option("--json", options.json, "Also write the numbers to this file");
  command
      .add_option("--from-gpu", options.file,
                  "Measure this machine's GPU and write its profile to FILE")
      ->type_name("FILE")
      ->excludes(shown)
      ->excludes(json);
  add_gpu(command, options.gpu);
}

void add_options(CLI::App& command, CalibrateOptions& options) {
  command.add_option("--json", options.json, "Write to this file instead of the cache");
  add_gpu(command, options.gpu);
}

void add_options(CLI::App& command, CountedLaunchOptions& options) {
  command.add_option("FILE", options.file)->required();
  add_gpu(command, options.gpu);
}

void add_figures_folder(CLI::App& command, std::string& folder) {
  command
      .add_option("--figures", folder,
                  "Copy the chapters' figures from this folder instead of drawing them")
      ->check(CLI::ExistingDirectory);
}

void add_options(CLI::App& command, PackOptions& options) {
  command.add_option("FOLDER", options.folder, "The new folder")->required();
  command.add_option("--labs", options.labs, "Hand out these labs only, separated by commas")
      ->delimiter(',');
  command.add_flag("--skip-build", options.skip_build, "Skip the test build of the new folder");
  add_figures_folder(command, options.figures);
}

void add_options(CLI::App& command, InitOptions& options) {
  command.add_option("FOLDER", options.folder, "The new folder")->required();
  add_figures_folder(command, options.figures);
}

void add_options(CLI::App& command, NewOptions& options) {
  command.add_option("LAB/EXERCISE", options.exercise, "Name of the new exercise")->required();
}

void add_options(CLI::App& command, HintOptions& options) {
  command.add_option("LAB/EXERCISE", options.exercise,
                     "Exercise, such as coalescing/copy (default: your next one)");
  auto* next = command.add_flag("--next", options.next, "Show one more hint than before");
  command.add_flag("--all", options.all, "Show all hints of the exercise")->excludes(next);
}

void add_options(CLI::App& command, ExplainOptions& options) {
  command.add_option("WORD", options.words, "Word or name, such as wavefront, sm port or a metric")
      ->required();
}

void add_options(CLI::App& command, CheckOptions& options) {
  command.add_option("LAB[/EXERCISE]", options.selections, "Exercises to check");
  add_backend(command, options.backend,
              "Simulate (default), or measure on the GPU and set the bounds on speed for it",
              {"sim", "gpu"});
  command.add_flag("--write", options.write,
                   "First measure the skeletons and write labs/LAB/skeletons.toml");
  command
      .add_option("--junit", options.junit, "Also write the findings as JUnit XML for CI services")
      ->type_name("FILE");
  add_gpu(command, options.gpu);
}

void add_options(CLI::App& command, WatchOptions& options) {
  command.add_option("LAB[/EXERCISE]", options.selections,
                     "Exercises to work through (default: all)");
  add_backend(command, options.backend, "Simulate or use the GPU (default: sim)",
              {"auto", "sim", "gpu"});
  command.add_option("--html", options.html,
                     "Also write each report to this page, which reloads by itself");
}

// `warpgrade class`.

void add_book(CLI::App& command, BookOptions& options) {
  command.add_option("BOOK", options.book, "Grade book")->required();
}

void add_options(CLI::App& command, ClassRunOptions& options) {
  command.add_option("BOOK", options.book, "Grade book; created if missing")->required();
  command
      .add_option("SUBMISSIONS", options.submissions,
                  "Folder with one folder per student, or the archive of a platform; class.toml "
                  "is beside it")
      ->required();
  command.add_option("--engine", options.engine, "Where the workers run (default: local)")
      ->check(CLI::IsMember({"local", "slurm"}));
  add_number<std::size_t>(command, "--workers", options.workers,
                          "Number of workers (default: one per core)", 1);
  add_backend(command, options.backend,
              "Simulate or use the GPU (default: auto, the GPU if available)",
              {"auto", "sim", "gpu"});
  command.add_option("--only", options.students, "Only this student's submissions")
      ->type_name("STUDENT")
      ->allow_extra_args(false);
  command.add_option("--policy", options.policy, "Attempt that counts (default: class.toml's)")
      ->check(CLI::IsMember({"latest", "best", "first"}));
  command.add_flag("--retry", options.retry, "Retry submissions that could not be judged");
  command.add_flag("--strict", options.strict,
                   "Leave a grade open if the card cannot decide one of its gates");
}

void add_options(CLI::App& command, ClassStatusOptions& options) { add_book(command, options); }

void add_options(CLI::App& command, ClassExportOptions& options) {
  add_book(command, options);
  command
      .add_option(
          "--format", options.format,
          "Program that reads the file; html: a page of the class for the instructor; similar: "
          "near-copies, as CSV")
      ->check(CLI::IsMember({"csv", "canvas", "moodle", "blackboard", "brightspace", "roster",
                             "nbgrader", "html", "similar"}))
      ->required();
  command.add_option("--out", options.out, "Output file")->required();
  command.add_option("--feedback", options.feedback,
                     "The folder of `class feedback`: the page links to it");
}

void add_options(CLI::App& command, ClassFeedbackOptions& options) {
  add_book(command, options);
  command.add_option("FOLDER", options.folder, "Output folder; created if missing")->required();
  command
      .add_option("--format", options.format,
                  "Write a zip for this platform's upload of feedback instead of a folder")
      ->check(CLI::IsMember({"moodle", "canvas", "blackboard"}));
}

// The book keeps person, time and reason of a decision.
void add_reason(CLI::App& command, DecisionOptions& options) {
  command.add_option("--by,--who", options.who, "Name of the person who decided it")->required();
  command.add_option("--why", options.why, "Reason; the student reads it")->required();
}

void add_options(CLI::App& command, ClassExtendOptions& options) {
  add_book(command, options);
  command.add_option("STUDENT", options.student, "Student with the extension")->required();
  command.add_option("LAB[/EXERCISE]", options.exercise, "Exercises (default: all)");
  auto* until =
      command.add_option("--until", options.until, "New deadline, in the class's time zone")
          ->type_name("TIME");
  command.add_flag("--remove", options.remove, "Withdraw the extension")->excludes(until);
  add_reason(command, options);
}

void add_options(CLI::App& command, ClassExcuseOptions& options) {
  add_book(command, options);
  command.add_option("STUDENT", options.student, "Student to excuse")->required();
  command.add_option("LAB[/EXERCISE]", options.exercise, "Exercises (default: all)");
  command.add_flag("--remove", options.remove, "Withdraw the excuse");
  add_reason(command, options);
}

void add_options(CLI::App& command, ClassAdjustOptions& options) {
  add_book(command, options);
  command.add_option("STUDENT", options.student, "Student")->required();
  command.add_option("LAB/EXERCISE", options.exercise, "Exercise")->required();
  auto* points = command.add_option("--points", options.points, "Points that count");
  auto* bonus = command.add_option("--bonus", options.bonus,
                                   "Extra points, which may exceed the maximum; 0 withdraws them");
  command.add_flag("--withdraw,--remove", options.remove, "Withdraw points and bonus")
      ->excludes(points)
      ->excludes(bonus);
  add_reason(command, options);
}

void add_options(CLI::App& command, ClassCommentOptions& options) {
  add_book(command, options);
  command.add_option("STUDENT", options.student, "Student")->required();
  command.add_option("LAB/EXERCISE", options.exercise, "Exercise")->required();
  command.add_option("--by,--who", options.who, "Name of the person who writes it")->required();
  auto* text = command.add_option("--text,--why", options.why, "The comment; the student reads it");
  command.add_flag("--remove", options.remove, "Withdraw the comment")->excludes(text);
}

void add_options(CLI::App& command, ClassChangesOptions& options) { add_book(command, options); }

void add_options(CLI::App& command, ClassMatchOptions& options) {
  add_book(command, options);
  command.add_option("KEY", options.given, "Name in the submissions")->required();
  auto* student = command.add_option("STUDENT", options.student, "Student of the roster");
  auto* guest = command.add_flag("--guest", options.guest, "The roster does not have this student");
  command.add_flag("--remove", options.remove, "Withdraw the decision")
      ->excludes(student)
      ->excludes(guest->excludes(student));
  command.add_option("--by", options.who, "Name of the person who decided it");
  command.add_option("--why", options.why, "Reason");
}

void add_options(CLI::App& command, ClassExplainOptions& options) {
  add_book(command, options);
  command.add_option("STUDENT", options.student, "Student")->required();
  command.add_option("--json", options.json, "Write JSON to this file instead");
}

void add_options(CLI::App& command, ClassForgetOptions& options) {
  add_book(command, options);
  command.add_option("STUDENT", options.student, "Student to remove")->required();
}

void add_options(CLI::App& command, ClassWorkerOptions& options) {
  command.add_option("SPOOL", options.spool)->required();
  command.add_option("NAME", options.name)->required();
  command.add_option("BACKEND", options.backend)->required();
  command.add_flag("--bubblewrap", options.bubblewrap);
  command.add_flag("--local", options.local);
}

void add_options(CLI::App& command, ClassJudgeOptions& options) {
  command.add_option("BACKEND", options.backend)->required();
}

void add_options(CLI::App& command, ClassUnpackOptions& options) {
  command.add_option("ZONE", options.zone, "Time zone of local times")->required();
  command.add_option("KIND", options.kind)->required()->check(CLI::Range(0, 2));
}

void add_options(CLI::App& command, CompletionOptions& options) {
  command.add_option("SHELL", options.shell)->required()->check(CLI::IsMember({"bash"}));
}

// A command without options.
template <typename Options>
requires std::is_empty_v<Options>
void add_options(CLI::App& /*command*/, Options& /*options*/) {}

// An empty name is never intended: a script's variable may be empty.
void refuse_empty_texts(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& text) { return std::string(text.empty() ? "must not be empty" : ""); },
      "");
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (auto* option : command->get_options()) {
      if (option->get_items_expected_max() > 0) option->check(not_empty);
    }
    refuse_empty_texts(*command);
  }
}

constexpr const char* kExercises = "Work on exercises";
constexpr const char* kKernels = "Measure kernels";
constexpr const char* kCourse = "Run a course";
constexpr const char* kGrading = "Grade";
constexpr const char* kReading = "Read the grade book";
constexpr const char* kDeciding = "Decide about a student";

CLI::App* add_command(CLI::App& parent, const CommandText& text) {
  return parent.add_subcommand(text.name, text.description)
      ->group(text.group)
      ->footer(text.example);
}

}  // namespace

template <typename Options>
void CommandModel::add(CLI::App& parent, const CommandText& text) {
  auto* command = add_command(parent, text);
  const auto options = std::make_shared<Options>();
  add_options(*command, *options);
  command->callback([this, options] {
    run_chosen = [options] {
      if constexpr (std::is_constructible_v<InstructorOptions, Options>) {
        return run_if_contained(*options);
      } else {
        return run_command(*options);
      }
    };
  });
}

CommandModel::CommandModel()
    : app("Course labs on GPU memory performance, graded with or without a GPU", "warpgrade") {
  app.require_subcommand(1);
  app.set_version_flag("--version", version_line(), "Print the version and the commit, and exit");
  add<ListOptions>(app, {"list", "List labs and exercises", kExercises, "warpgrade list"});
  add<GradeOptions>(
      app,
      {"grade", "Grade your files, with counters, simulated speed and advice (default: all labs)",
       kExercises, "warpgrade grade coalescing/copy --html report.html"});
  add<HintOptions>(app, {"hint", "Show the hints of an exercise, one more at a time", kExercises,
                         "warpgrade hint coalescing/copy --next"});
  add<WatchOptions>(app, {"watch", "Grade an exercise again whenever its file is saved", kExercises,
                          "warpgrade watch coalescing"});
  add<ExplainOptions>(app, {"explain", "Explain a word of a report, a page or a chapter",
                            kExercises, "warpgrade explain wavefront"});
  add<InitOptions>(app,
                   {"init", "Write the course into a new folder to work in: skeletons and chapters",
                    kExercises, "warpgrade init course"});
  add<ProfileOptions>(
      app,
      {"profile", "Run any kernel once, or a sequence of launches, and show its counters and time",
       kKernels,
       "warpgrade profile saxpy.cu --kernel saxpy --grid 4 --block 256 --device h200 --arg "
       "inout:f32:1024:iota --arg in:f32:1024:random:1 --arg f32:2 --arg i32:1024"});
  add<VerifyOptions>(
      app,
      {"verify", "Find out whether a new kernel computes what an old one computes, and how fast",
       kKernels,
       "warpgrade verify fast.cu --against slow.cu --kernel saxpy --size n=1..5000 --grid "
       "'ceil_div(n, 256)' --block 256 --arg inout:f32:n --arg in:f32:n --arg f32:2 --arg i32:n"});
  add<StudyOptions>(
      app, {"study", "Run kernels over many sizes and print the results beside published ones",
            kKernels, "warpgrade study transpose --svg transpose.svg"});
  add<DevicesOptions>(
      app, {"devices", "List the GPU profiles, or print one", kKernels, "warpgrade devices h200"});
  add<OccupancyOptions>(
      app,
      {"occupancy", "Print how many blocks fit on a multiprocessor, and what limits them", kKernels,
       "warpgrade occupancy --device h200 --block 256 --registers 32 --shared 4352"});
  add<CalibrateOptions>(app, {"calibrate", "Measure this machine's GPU for grading (takes minutes)",
                              kKernels, "warpgrade calibrate"});
  add<NewOptions>(app, {"new", "Start a new exercise, in a new lab or an existing one", kCourse,
                        "warpgrade new coalescing/gather"});
  add<CheckOptions>(
      app, {"check", "Check the course: skeletons fail, solutions pass, wrong ones fail", kCourse,
            "warpgrade check coalescing"});
  add<PackOptions>(app, {"pack", "Write the student's course into a new folder", kCourse,
                         "warpgrade pack ../course --labs coalescing,scan"});
  auto& parts = *add_command(app, {"class", "Grade a whole class into one grade book", kCourse,
                                   "warpgrade class run grades.db submissions"});
  parts.require_subcommand(1);
  add<ClassRunOptions>(parts, {"run", "Grade submissions into the grade book", kGrading,
                               "warpgrade class run grades.db submissions.zip --workers 4"});
  add<ClassStatusOptions>(parts, {"status", "Show points by exercise, open tasks and remarks",
                                  kReading, "warpgrade class status grades.db"});
  add<ClassExportOptions>(parts,
                          {"export", "Write the grades for another program", kReading,
                           "warpgrade class export grades.db --format csv --out grades.csv"});
  add<ClassFeedbackOptions>(parts, {"feedback", "Write one folder with feedback per student",
                                    kReading, "warpgrade class feedback grades.db feedback"});
  add<ClassExtendOptions>(
      parts, {"extend", "Move a student's deadline; late deductions change at once", kDeciding,
              "warpgrade class extend grades.db ada scan --until '2026-12-04 18:00' --by 'T. Lee' "
              "--why illness"});
  add<ClassExcuseOptions>(
      parts, {"excuse", "Excuse a student: no points, and no zero", kDeciding,
              "warpgrade class excuse grades.db ada scan --by 'T. Lee' --why illness"});
  add<ClassAdjustOptions>(
      parts, {"adjust", "Set a student's points by hand, or add a bonus", kDeciding,
              "warpgrade class adjust grades.db ada coalescing/copy --points 9 --by 'T. Lee' --why "
              "'explained it in person'"});
  add<ClassCommentOptions>(
      parts,
      {"comment", "Write a student a comment without points", kDeciding,
       "warpgrade class comment grades.db ada coalescing/copy --by 'T. Lee' --text 'Nice use "
       "of shared memory'"});
  add<ClassChangesOptions>(
      parts, {"changes", "Show points that runs changed by grading the same file again", kReading,
              "warpgrade class changes grades.db"});
  add<ClassMatchOptions>(
      parts, {"match", "Assign work under another name to a student, for all runs", kDeciding,
              "warpgrade class match grades.db a.lovelace ada"});
  add<ClassExplainOptions>(
      parts, {"explain", "Print every file of a student, its use, and the grades that count",
              kReading, "warpgrade class explain grades.db ada"});
  add<ClassForgetOptions>(
      parts, {"forget", "Remove a student from all exports; adjustments are kept", kDeciding,
              "warpgrade class forget grades.db ada"});
  add<CountedLaunchOptions>(app, {gpu::kCountedLaunchCommand});
  add<CompletionOptions>(app, {"completion"});
  add<ManPageOptions>(app, {"man-page"});
  add<ClassWorkerOptions>(app, {"class-worker"});
  add<ClassCardOptions>(app, {"class-card"});
  add<ClassJudgeOptions>(app, {"class-judge"});
  add<ClassUnpackOptions>(app, {"class-unpack"});
  add<ClassNamesOptions>(app, {"class-names"});
  refuse_empty_texts(app);
  set_help(app, base::program_call(), text::style_of_stdout().width());
}

std::vector<const CLI::App*> CommandModel::commands() const {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

}  // namespace warpgrade::grader::cli
