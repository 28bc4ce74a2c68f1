// SPDX-License-Identifier: Apache-2.0
// `warpgrade profile`: one launch of one kernel, or a sequence of launches, counted and timed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler_options.h"
#include "common/gpu/counted_launch.h"
#include "common/gpu/gpu_runner.h"
#include "grader/cli/commands/commands.h"
#include "grader/html/render_profile_html.h"
#include "grader/profile/arguments.h"
#include "grader/profile/profiling.h"
#include "grader/report/render_json.h"
#include "grader/report/render_profile.h"
#include "grader/text/files.h"
#include "grader/text/scalars.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::cli {
namespace {

struct Dump {
  std::size_t buffer = 0;
  std::string symbol;  // Not empty: the variable of that name instead.
  std::string path;
};

// INDEX=PATH, where INDEX counts the parameters from 0 and must be a buffer, or a struct's address;
// or NAME=PATH, with the name of a --symbol.
Dump parse_dump(const std::string& text, const std::vector<profile::ArgumentSpec>& arguments,
                const std::vector<profile::SymbolSpec>& symbols) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    throw base::UsageError(fmt::format("--dump {}: must be INDEX=PATH, such as 0=out.bin",
                                       base::escape_controls(text)));
  }
  const auto what = text.substr(0, equals);
  auto path = text.substr(equals + 1);
  const bool is_symbol =
      std::any_of(symbols.begin(), symbols.end(),
                  [&](const profile::SymbolSpec& one) { return one.name == what; });
  if (is_symbol) return {0, what, std::move(path)};
  return {profile::buffer_to_dump(what, arguments), {}, std::move(path)};
}

void write_dump(const Dump& dump, const std::vector<run::Buffer>& buffers) {
  auto index = dump.buffer;
  if (!dump.symbol.empty()) {
    const auto found = std::find_if(buffers.begin(), buffers.end(), [&](const run::Buffer& one) {
      return !one.symbol.empty() && one.name == dump.symbol;
    });
    index = static_cast<std::size_t>(found - buffers.begin());
  }
  const auto& bytes = buffers.at(index).bytes;
  text::write_atomically(dump.path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// One launch that the options describe completely.
void describe_launch(const ProfileOptions& options, profile::ProfiledLaunch& asked) {
  for (const auto& [name, value] : {std::pair("--kernel", &options.kernel),
                                    {"--grid", &options.grid},
                                    {"--block", &options.block}}) {
    if (value->empty()) throw base::UsageError(fmt::format("{} is required", name));
  }
  asked.kernel = options.kernel;
  asked.launch.grid = parse_extents(options.grid, "--grid");
  asked.launch.block = parse_extents(options.block, "--block");
  asked.launch.dynamic_shared_bytes = options.shared_bytes;
  asked.launch.cooperative = options.cooperative;
  if (!options.cluster.empty()) {
    asked.launch.cluster = parse_extents(options.cluster, "--cluster");
  }
  for (const auto& text : options.arguments)
    asked.arguments.push_back(profile::parse_argument(text));
  for (const auto& text : options.symbols) asked.symbols.push_back(profile::parse_symbol(text));
}

report::ProfileReport profile_on(const ProfileOptions& options,
                                 const profile::ProfiledLaunch& asked,
                                 std::vector<run::Buffer>& buffers) {
  if (!options.list_symbols.empty()) {
    report::ProfileReport report;
    profile::list_symbols(asked, device::find(options.device), report);
    return report;
  }
  if (options.backend == run::Backend::kGpu) {
    const auto gpu =
        measure::gpu_bench(gpu::open_gpu("--backend gpu: no GPU to run on", options.gpu));
    return profile::profile(asked, *gpu, buffers);
  }
  return profile::profile(asked, *measure::sim_bench(device::find(options.device)), buffers);
}

// The same; if the arguments do not fit the kernel, --json gets that as a `warpgrade.usage/1`.
report::ProfileReport profile_or_explain(const ProfileOptions& options,
                                         const profile::ProfiledLaunch& asked,
                                         std::vector<run::Buffer>& buffers) {
  try {
    return profile_on(options, asked, buffers);
  } catch (const report::ArgumentMismatch& mismatch) {
    if (!options.json.empty()) text::write_atomically(options.json, render_json(mismatch));
    throw;
  }
}

// 3 if the simulator lacks a feature, 1 if the program failed.
int exit_code(const report::ProfileReport& report) {
  const auto& all = report.diagnostics;
  const auto is_unsupported = [](const base::Diagnostic& one) {
    return one.kind == base::DiagnosticKind::kUnsupported;
  };
  if (all.empty()) return 0;
  return std::all_of(all.begin(), all.end(), is_unsupported) ? 3 : 1;
}

}  // namespace

int run_profile(const ProfileOptions& options) {
  profile::ProfiledLaunch asked;
  asked.file = options.file;
  asked.with_pictures = !options.html.empty();
  for (const auto& text : options.compiler_options) {
    auto option = compile::permitted_option(text);
    if (!option) {
      throw base::UsageError(fmt::format(
          "the compiler option {} is not supported; use -DNAME=VALUE, -UNAME, -std=c++17 or c++20, "
          "--use_fast_math, --ftz=, --prec-div=, --prec-sqrt=, --fmad=, --maxrregcount=, "
          "-lineinfo, -default-device, --restrict or -w",
          base::escape_controls(text)));
    }
    asked.compiler_options.push_back(*std::move(option));
  }
  for (const auto& folder : options.include_folders) {
    if (!std::filesystem::is_directory(folder)) {
      throw base::UsageError(fmt::format("-I {}: no such folder", base::escape_controls(folder)));
    }
    asked.include_folders.emplace_back(folder);
  }
  if (!options.list_symbols.empty()) {
    asked.kernel = options.kernel;
  } else if (options.sequence.empty()) {
    describe_launch(options, asked);
  } else {
    asked.sequence = profile::read_sequence_file(options.sequence);
  }
  std::vector<Dump> dumps;
  for (const auto& text : options.dumps) {
    dumps.push_back(parse_dump(text, asked.sequence ? asked.sequence->buffers : asked.arguments,
                               asked.symbols));
  }

  std::vector<run::Buffer> buffers;
  const auto report = profile_or_explain(options, asked, buffers);
  if (!options.list_symbols.empty() && report.diagnostics.empty()) {
    text::write_atomically(options.list_symbols, render_json(report.symbols));
    return 0;
  }
  const bool ran = !report.launch.kernel.empty();
  std::vector<std::function<void()>> files;
  if (!options.json.empty()) {
    files.emplace_back([&] { text::write_atomically(options.json, render_json(report)); });
  }
  if (!options.html.empty()) {
    files.emplace_back([&] { text::write_atomically(options.html, html::render(report)); });
  }
  for (const auto& dump : dumps) {
    if (ran) files.emplace_back([&] { write_dump(dump, buffers); });
  }
  deliver(files, render_text(report, text::style_of_stdout()));
  return exit_code(report);
}

int run_counted_launch(const std::string& file, std::optional<int> gpu) {
  gpu::make_counted_launch(file, gpu::load_platform(gpu));
  return 0;
}

}  // namespace warpgrade::grader::cli
