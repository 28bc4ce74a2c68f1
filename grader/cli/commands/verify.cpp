// SPDX-License-Identifier: Apache-2.0
// `warpgrade verify`: the options as a comparison of two kernels, and its verdict as text, JSON and
// exit code.
// A difference comes with a command that shows it again: the same call with the sizes and the
// inputs of the smallest case.
#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "grader/cli/commands/commands.h"
#include "grader/equivalence/parameters.h"
#include "grader/equivalence/sizes.h"
#include "grader/equivalence/verification.h"
#include "grader/report/render_json.h"
#include "grader/report/verification_report.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::cli {
namespace {

using report::Equivalence;

// The same call for one size and one kind of inputs.
std::string command_for(const VerifyOptions& options, const report::VerifiedCase& at) {
  std::string out = base::program_call() + " verify";
  const auto add = [&](const std::string& word) { out += ' ' + text::shell_word(word); };
  const auto add_option = [&](std::string_view name, const std::string& value,
                              std::string_view by_default = "") {
    if (value == by_default) return;
    add(std::string(name));
    add(value);
  };
  add(options.file);
  add_option("--against", options.against);
  add_option("--kernel", options.kernel);
  add_option("--old-kernel", options.old_kernel);
  for (const auto& [name, value] : at.sizes) {
    add_option("--size", fmt::format("{}={:.0f}", name, value));
  }
  add_option("--grid", options.grid);
  add_option("--block", options.block);
  add_option("--shared", options.shared, "0");
  add_option("--old-grid", options.old_grid);
  add_option("--old-block", options.old_block);
  add_option("--old-shared", options.old_shared);
  if (options.cooperative) add("--cooperative");
  for (const auto& one : options.arguments) add_option("--arg", one);
  add_option("--ulps", options.ulps, "0");
  add_option("--magnitude", options.magnitude, "0");
  add_option("--inputs", at.inputs);
  add_option("--device", options.device, "h200");
  add_option("--seed", std::to_string(options.seed), std::to_string(cases::kDefaultSeed));
  for (const auto& one : options.include_folders) add_option("-I", one);
  for (const auto& one : options.compiler_options) add_option("--compiler-option", one);
  return out;
}

// Throws base::UsageError with an example that fits the kernel.
[[noreturn]] void ask_for_launch(const VerifyOptions& options) {
  equivalence::Asked asked;
  asked.include_folders = existing_folders(options.include_folders);
  asked.compiler_options = permitted_options(options.compiler_options);
  equivalence::Side side;
  side.file = options.file;
  side.kernel = options.kernel;
  const auto example = equivalence::example_call(
      side, asked, std::string(device::find(options.device).architecture));
  const auto what = fmt::format(
      "{} required: a launch has --grid, --block, an --arg for each parameter{}, and --size for "
      "the limits of each size",
      options.grid.empty() ? "--grid is" : "--block is",
      example.signature.empty() ? "" : " of " + example.signature);
  if (example.options.empty()) throw base::UsageError(what);
  throw base::UsageError(fmt::format(
      "{}; an example to adapt:\n  {} verify {} --against {}{}{}", what, base::program_call(),
      text::shell_word(options.file), text::shell_word(options.against),
      options.kernel.empty() ? "" : " --kernel " + text::shell_word(options.kernel),
      example.options));
}

equivalence::Asked asked_for(const VerifyOptions& options) {
  if (options.grid.empty() || options.block.empty()) ask_for_launch(options);
  const equivalence::OptionText grid{"--grid", options.grid};
  const equivalence::OptionText block{"--block", options.block};
  const equivalence::OptionText shared{"--shared", options.shared};
  const auto or_new = [](const char* option, const std::string& text,
                         const equivalence::OptionText& fresh) {
    return text.empty() ? fresh : equivalence::OptionText{option, text};
  };
  equivalence::Asked out;
  out.fresh = {options.file, options.kernel, equivalence::parse_geometry(grid, block, shared)};
  out.old = {options.against, options.old_kernel.empty() ? options.kernel : options.old_kernel,
             equivalence::parse_geometry(or_new("--old-grid", options.old_grid, grid),
                                         or_new("--old-block", options.old_block, block),
                                         or_new("--old-shared", options.old_shared, shared))};
  out.fresh.geometry.cooperative = out.old.geometry.cooperative = options.cooperative;
  out.names_both = !options.old_kernel.empty();
  out.arguments = options.arguments;
  std::set<std::string> names;
  for (const auto& text : options.sizes) {
    out.sizes.push_back(equivalence::parse_size(text));
    if (!names.insert(out.sizes.back().name).second) {
      throw base::UsageError(
          fmt::format("--size {}: this size is there twice", base::escape_controls(text)));
    }
  }
  for (const auto& text : options.at) {
    out.at.push_back(equivalence::parse_size(text));
    if (!names.contains(out.at.back().name)) {
      throw base::UsageError(
          fmt::format("--at {}: no --size has this name", base::escape_controls(text)));
    }
  }
  out.inputs = options.inputs;
  out.cases = options.cases;
  out.seed = options.seed;
  out.ulps = {options.ulps, {"--ulps", 1, 1}};
  out.magnitude = {options.magnitude, {"--magnitude", 1, 1}};
  out.include_folders = existing_folders(options.include_folders);
  out.compiler_options = permitted_options(options.compiler_options);
  return out;
}

}  // namespace

int run_command(const VerifyOptions& options) {
  const auto asked = asked_for(options);
  const auto bench = measure::sim_bench(device::find(options.device));
  auto report = equivalence::verify(asked, *bench);
  if (auto& found = report.counterexample) found->command = command_for(options, found->at);
  std::vector<std::function<void()>> files;
  if (!options.json.empty()) {
    files.emplace_back([&] { text::write_atomically(options.json, render_json(report)); });
  }
  deliver(files, render_text(report, text::style_of_stdout()));
  if (report.verdict == Equivalence::kEqual) return 0;
  return report.verdict == Equivalence::kDifferent ? 1 : 3;
}

}  // namespace warpgrade::grader::cli
