// SPDX-License-Identifier: Apache-2.0
// The commands for kernels and devices: `warpgrade devices`, `occupancy` and `profile`.
//
// In: a device's name, a block's resources, or a kernel with its launches. Out: the profiles or
// the numbers of one; the blocks that fit on a multiprocessor, with their limit; counts and times
// of the launches.

#include "common/device/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/place.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/ncu.h"
#include "common/timing/bound.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/html/render_html.h"
#include "grader/profile/arguments.h"
#include "grader/profile/profiling.h"
#include "grader/report/formats/annotations.h"
#include "grader/report/profile_comparison.h"
#include "grader/report/profile_report.h"
#include "grader/report/render_json.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cli {
namespace {

// `warpgrade devices`: the profiles, or the numbers of one.

std::string compute(const device::Profile& profile) {
  return fmt::format("{}.{}", profile.compute.major, profile.compute.minor);
}

std::string error_of_speeds(const device::Profile& profile) {
  return fmt::format("{:.0f} % at most {}", 100 * profile.errors.speed,
                     profile.errors.has_kinds() ? "for 95 % of the measured launches"
                                                : "where results are published");
}

std::string_view coalescing(device::Coalescing rule) {
  static constexpr std::array<std::string_view, 3> kTexts = {
      "half-warps, lane k on word k of one segment", "half-warps, segments of 32, 64 or 128 bytes",
      "warps, sectors of 32 bytes"};
  return kTexts.at(static_cast<std::size_t>(rule));
}

std::string_view banks(device::SharedBanks rule) {
  static constexpr std::array<std::string_view, 4> kTexts = {
      "16 of 4 bytes, half-warps", "32, 64 bits a clock, 4-byte mode",
      "32, 64 bits a clock, 8-byte mode", "32 of 4 bytes"};
  return kTexts.at(static_cast<std::size_t>(rule));
}

std::string table_of_all() {
  text::Columns table({true, true, false, false, false, true});
  table.add({"name", "product", "compute", "SMs", "bandwidth", "validated by"});
  for (const auto* profile : device::profiles()) {
    table.add({std::string(profile->name), std::string(profile->product), compute(*profile),
               fmt::format("{}", profile->sm.count),
               text::bytes_per_second(profile->dram.bytes_per_second),
               profile->validated.empty() ? "-" : profile->validated});
  }
  auto out = table.text(0, text::style_of_stdout());
  const auto card = gpu::availability();
  out += card.available ? fmt::format("GPU here: {} ({})\n", card.device, card.architecture)
                        : fmt::format("no GPU here: {}\n", card.reason);
  return out;
}

std::string numbers_of(const device::Profile& profile) {
  const auto count = [](std::uint64_t value) { return base::grouped(value); };
  text::Columns table({true, true});
  table.add({"product", std::string(profile.product)});
  table.add({"compute capability", compute(profile)});
  table.add({"multiprocessors", count(profile.sm.count)});
  table.add({"clock", fmt::format("{} MHz", text::number(profile.sm.clock_hz / 1e6))});
  table.add({"threads a block", count(profile.sm.limits.threads_per_block)});
  table.add({"warps an SM", count(profile.sm.limits.warps)});
  table.add({"blocks an SM", count(profile.sm.limits.blocks)});
  table.add(
      {"registers an SM", fmt::format("{}, in units of {} a {}", count(profile.sm.limits.registers),
                                      profile.sm.limits.register_unit,
                                      profile.sm.limits.registers_by_warp ? "warp" : "block")});
  table.add(
      {"shared bytes an SM",
       fmt::format("{}, in units of {}, {} taken by a launch", count(profile.shared.bytes),
                   profile.shared.unit_bytes, count(profile.shared.reserved_bytes_per_block))});
  table.add({"shared bytes a block", count(profile.shared.max_bytes_per_block)});
  table.add({"shared banks", std::string(banks(profile.rules.shared_banks))});
  table.add({"coalescing", std::string(coalescing(profile.rules.coalescing))});
  table.add({"partitions", profile.dram.partitions
                               ? fmt::format("{}, {} bytes wide", *profile.dram.partitions,
                                             profile.dram.partition_width)
                               : "addresses are hashed"});
  table.add({"L2", profile.l2.bytes ? fmt::format("{} bytes", count(*profile.l2.bytes))
                                    : "none for global memory"});
  table.add({"bandwidth", fmt::format("{}; a copy reaches {}",
                                      text::bytes_per_second(profile.dram.bytes_per_second),
                                      text::number(profile.dram.efficiency))});
  const auto nanoseconds = [](double value) {
    return fmt::format("{} ns", text::number(value * 1e9));
  };
  table.add({"issue", fmt::format("{} warp instructions a clock and SM",
                                  text::number(profile.sm.warp_instructions_per_clock))});
  table.add(
      {"latency of arithmetic", fmt::format("{} clocks", profile.sm.pipes.alu_latency_clocks)});
  table.add({"latency of shared memory", nanoseconds(profile.shared.latency_seconds)});
  if (profile.l2.bytes) {
    table.add({"latency of L2", nanoseconds(profile.l2.latency_seconds)});
  }
  table.add({"latency of DRAM", nanoseconds(profile.dram.latency_seconds)});
  table.add({"opening a DRAM page",
             fmt::format("{} ns, of {} bytes", text::number(profile.dram.page_seconds * 1e9),
                         count(profile.dram.page_bytes))});
  table.add(
      {"block barrier", fmt::format("{} clocks, {} a warp", text::number(profile.sm.barrier_clocks),
                                    text::number(profile.sm.barrier_clocks_per_warp))});
  table.add({"start of a block", nanoseconds(profile.launch.block_seconds)});
  table.add({"start of a launch", nanoseconds(profile.launch.overhead_seconds)});
  table.add({"error of modelled speeds", error_of_speeds(profile)});
  for (std::size_t i = 0; i < device::kKernelKinds.size(); ++i) {
    if (profile.errors.speed_by_kind.at(i) == 0) continue;
    table.add({fmt::format("error for {}", device::kManyKernels.at(i)),
               fmt::format("{:.0f} %; margin of a gate: {:.0f} %",
                           100 * profile.errors.speed_by_kind.at(i),
                           100 * profile.errors.margin_by_kind.at(i))});
  }
  table.add({"validated by", profile.validated.empty() ? "no time of a card" : profile.validated});
  return table.text(0, text::style_of_stdout());
}

template <typename T>
nlohmann::ordered_json number_or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

// The numbers that a data sheet has, as docs/json/warpgrade.devices.schema.json describes them.
nlohmann::ordered_json json_of(const device::Profile& profile) {
  const auto& limits = profile.sm.limits;
  return {{"name", profile.name},
          {"product", profile.product},
          {"compute", {profile.compute.major, profile.compute.minor}},
          {"multiprocessors", profile.sm.count},
          {"clock_hz", profile.sm.clock_hz},
          {"threads_per_block", limits.threads_per_block},
          {"warps_per_sm", limits.warps},
          {"blocks_per_sm", limits.blocks},
          {"registers_per_sm", limits.registers},
          {"registers_per_thread", limits.registers_per_thread},
          {"shared_bytes_per_sm", profile.shared.bytes},
          {"shared_bytes_per_block", profile.shared.max_bytes_per_block},
          {"reserved_shared_bytes_per_block", profile.shared.reserved_bytes_per_block},
          {"l2_bytes", number_or_null(profile.l2.bytes)},
          {"dram_bytes_per_second", profile.dram.bytes_per_second}};
}

std::string json_of_devices(const std::string& name) {
  nlohmann::ordered_json out = {{"schema", "warpgrade.devices/1"},
                                {"devices", nlohmann::ordered_json::array()}};
  auto& devices = out["devices"];
  if (!name.empty()) {
    devices.push_back(json_of(device::find(name)));
  } else {
    for (const auto* profile : device::profiles()) devices.push_back(json_of(*profile));
  }
  return out.dump(2) + '\n';
}

}  // namespace

int run_command(const DevicesOptions& options) {
  if (!options.file.empty()) return run_if_contained(ProbeOptions{options.file, options.gpu});
  const bool is_printed = prints_a_file({options.json});
  const auto write = [&] {
    if (!options.json.empty()) write_or_print(options.json, json_of_devices(options.name));
  };
  const auto shown = [&] {
    return options.name.empty() ? table_of_all() : numbers_of(device::find(options.name));
  };
  deliver({write}, is_printed ? std::string() : shown());
  return 0;
}

// `warpgrade occupancy`: prints the number of blocks that fit on a multiprocessor, and their limit.

int run_command(const OccupancyOptions& options) {
  const auto& profile = device::find(options.device);
  if (options.block == 0 || options.block > profile.sm.limits.threads_per_block) {
    throw base::UsageError(fmt::format("--block {}: a block has 1 to {} threads on {}",
                                       options.block, profile.sm.limits.threads_per_block,
                                       profile.name));
  }
  const auto found =
      timing::occupancy(profile, options.block, options.registers, options.shared_bytes);
  const auto percent = 100.0 * found.warps_per_sm / profile.sm.limits.warps;
  print(fmt::format("{} an SM, {} of {} warps ({:.1f} %), limited by {}\n",
                    base::counted(found.blocks_per_sm, "block"), found.warps_per_sm,
                    profile.sm.limits.warps, percent, timing::name(found.limited_by)));
  return 0;
}

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

// "X[,Y[,Z]]" as extents, each at least 1; throws base::UsageError that names `option`.
base::Dim3 parse_extents(const std::string& text, const std::string& option) {
  std::array<std::uint32_t, 3> extents = {1, 1, 1};
  std::string_view rest = text;
  for (std::size_t i = 0;; ++i) {
    const auto comma = rest.find(',');
    const auto value = i < 3 ? text::parse_count(rest.substr(0, comma)) : std::nullopt;
    if (!value || *value == 0 || *value > std::numeric_limits<std::uint32_t>::max()) {
      throw base::UsageError(
          fmt::format("{} {}: must be X, X,Y or X,Y,Z, each a whole number from 1", option,
                      base::escape_controls(text)));
    }
    extents.at(i) = static_cast<std::uint32_t>(*value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return {extents[0], extents[1], extents[2]};
}

void require(std::string_view option, const std::string& value) {
  if (value.empty()) throw base::UsageError(fmt::format("{} is required", option));
}

// One launch that the options describe completely.
void describe_launch(const ProfileOptions& options, profile::ProfiledLaunch& asked) {
  require("--grid", options.grid);
  require("--block", options.block);
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
  if (!options.list_symbols.empty() || !options.list_kernel.empty()) {
    report::ProfileReport report;
    const auto& device = device::find(options.device);
    if (options.list_kernel.empty()) {
      profile::list_symbols(asked, device, report);
    } else {
      profile::list_kernel(asked, device, report);
    }
    return report;
  }
  if (options.backend == run::Backend::kGpu) {
    const auto gpu = measure::gpu_bench(gpu::open_gpu(
        base::for_caller("--backend gpu", "backend='gpu'") + ": no GPU to run on", options.gpu));
    return profile::profile(asked, *gpu, buffers);
  }
  return profile::profile(asked, *measure::sim_bench(device::find(options.device)), buffers);
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

std::vector<std::string> permitted_options(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const auto& text : given) {
    auto option = compile::permitted_option(text);
    if (!option) {
      throw base::UsageError(fmt::format(
          "the compiler option {} is not supported; use -DNAME=VALUE, -UNAME, -std=c++17 or c++20, "
          "--use_fast_math, --ftz=, --prec-div=, --prec-sqrt=, --fmad=, --maxrregcount=, "
          "-lineinfo, -default-device, --restrict or -w",
          base::escape_controls(text)));
    }
    out.push_back(*std::move(option));
  }
  return out;
}

std::vector<std::filesystem::path> existing_folders(const std::vector<std::string>& given) {
  for (const auto& folder : given) {
    if (!std::filesystem::is_directory(folder)) {
      throw base::UsageError(fmt::format("-I {}: no such folder", base::escape_controls(folder)));
    }
  }
  return {given.begin(), given.end()};
}

namespace {

// The launch of `options` with the kernel in `file`.
profile::ProfiledLaunch launch_of(const ProfileOptions& options, const std::string& file) {
  profile::ProfiledLaunch asked;
  asked.file = file;
  asked.with_pictures = !options.html.empty();
  asked.compiler_options = permitted_options(options.compiler_options);
  asked.include_folders = existing_folders(options.include_folders);
  asked.same_program = options.same_program;
  if (!options.list_symbols.empty() || !options.list_kernel.empty()) {
    asked.kernel = options.kernel;
  } else if (options.sequence.empty()) {
    describe_launch(options, asked);
  } else {
    asked.sequence = profile::read_sequence_file(options.sequence);
  }
  return asked;
}

// The profiles that `--device` names: "h200", "h200,a100" or "all".
std::vector<std::string> devices_of(const ProfileOptions& options) {
  std::vector<std::string> out;
  if (options.device == "all") {
    for (const auto* profile : device::profiles()) out.emplace_back(profile->name);
    return out;
  }
  for (std::string_view rest = options.device;;) {
    const auto comma = rest.find(',');
    out.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

// Throws base::UsageError for an option that only one profile has.
void refuse_options_of_one_profile(const ProfileOptions& options, std::string_view what) {
  const bool is_gpu = options.backend == run::Backend::kGpu;
  for (const auto& [name, is_set] : {std::pair("--dump", !options.dumps.empty()),
                                     {"--list-symbols", !options.list_symbols.empty()},
                                     {"--list-kernel", !options.list_kernel.empty()},
                                     {"--format", !options.format.empty()},
                                     {"--backend gpu", is_gpu}}) {
    if (is_set) throw base::UsageError(fmt::format("{} excludes {}", name, what));
  }
}

// Writes the files that the options name and those of `others`, and prints `text` unless a file
// went to standard output.
void deliver_report(const ProfileOptions& options, const std::function<std::string()>& json,
                    const std::function<std::string()>& html, std::string text,
                    std::vector<std::function<void()>> others = {}) {
  std::vector<std::function<void()>> files;
  if (!options.json.empty()) files.emplace_back([&] { write_or_print(options.json, json()); });
  if (!options.html.empty()) files.emplace_back([&] { write_or_print(options.html, html()); });
  std::ranges::move(others, std::back_inserter(files));
  if (!options.html.empty()) text += page_line(options.html);
  deliver(files, prints_a_file({options.json, options.html}) ? std::string() : text);
}

// A launch on one card, simulated. A card that cannot make it has the reason.
report::CardProfile profile_card(const ProfileOptions& options, profile::ProfiledLaunch asked,
                                 const std::string& name) {
  const auto& profile = device::find(name);
  // Cards of one architecture share the compiled program.
  if (asked.same_program.empty()) asked.same_program = asked.file.string();
  ProfileOptions one = options;
  one.device = name;
  report::CardProfile out{name, profile.dram.bytes_per_second, std::nullopt, {}};
  std::vector<run::Buffer> buffers;
  try {
    out.report = profile_on(one, asked, buffers);
  } catch (const base::UsageError& error) {
    out.refusal = error.what();
  }
  return out;
}

int exit_code(const std::vector<report::CardProfile>& cards) {
  int out = 0;
  for (const auto& card : cards) {
    const int code = card.report ? exit_code(*card.report) : 0;
    // A fault of the program on one card outweighs what the simulator lacks on another.
    out = code == 1 || out == 1 ? 1 : std::max(out, code);
  }
  return out;
}

// `--device h200,a100`: a table with a row per card.
int profile_cards(const ProfileOptions& options, const std::vector<std::string>& devices) {
  refuse_options_of_one_profile(options, "several devices");
  if (!options.other.empty() || !options.compare.empty()) {
    throw base::UsageError("several devices exclude a comparison of two versions");
  }
  auto asked = launch_of(options, options.file);
  asked.with_pictures = false;
  std::vector<report::CardProfile> cards;
  for (const auto& name : devices) cards.push_back(profile_card(options, asked, name));
  if (std::ranges::none_of(cards, [](const auto& card) { return card.report.has_value(); })) {
    throw base::UsageError(cards.front().refusal);
  }
  deliver_report(
      options, [&] { return render_json(cards); }, [&] { return html::render(cards); },
      render_text(cards, text::style_of_stdout()));
  return exit_code(cards);
}

// `A.cu B.cu` or `--compare OTHER.json`: both side by side. A version that failed has no counts to
// compare, so its own report is printed.
int profile_versions(const ProfileOptions& options) {
  refuse_options_of_one_profile(options, "a comparison");
  std::vector<report::CardProfile> made;
  std::vector<report::ComparedProfile> versions;
  if (!options.compare.empty()) {
    versions.push_back(
        report::read_profile(text::read_file(options.compare, options.compare), options.compare));
  }
  auto paths = std::vector{options.file};
  if (!options.other.empty()) paths.push_back(options.other);
  for (const auto& path : paths) {
    auto asked = launch_of(options, path);
    asked.with_pictures = false;
    auto card = profile_card(options, asked, options.device);
    if (!card.report) throw base::UsageError(card.refusal);
    made.push_back(std::move(card));
    const auto& report = *made.back().report;
    if (exit_code(report) != 0) {
      print(render_text(report, text::style_of_stdout()));
      return exit_code(report);
    }
    versions.push_back(report::compared(report));
  }
  const auto& a = versions.front();
  const auto& b = versions.back();
  deliver_report(
      options, [&] { return render_json(made); }, [&] { return html::render(a, b); },
      render_text(a, b, text::style_of_stdout()));
  return 0;
}

}  // namespace

int run_command(const ProfileOptions& options) {
  const auto devices = devices_of(options);
  if (devices.size() > 1) return profile_cards(options, devices);
  if (!options.other.empty() || !options.compare.empty()) return profile_versions(options);
  const auto asked = launch_of(options, options.file);
  std::vector<Dump> dumps;
  for (const auto& text : options.dumps) {
    dumps.push_back(parse_dump(text, asked.sequence ? asked.sequence->buffers : asked.arguments,
                               asked.symbols));
  }

  std::vector<run::Buffer> buffers;
  const auto report = profile_on(options, asked, buffers);
  if (report.facts) {
    text::write_atomically(options.list_kernel, render_json(*report.facts));
    return 0;
  }
  if (!options.list_symbols.empty() && report.diagnostics.empty()) {
    write_or_print(options.list_symbols, render_json(report.symbols));
    return 0;
  }
  const bool ran = !report.launch.kernel.empty();
  std::vector<std::function<void()>> written;
  for (const auto& dump : dumps) {
    if (ran) written.emplace_back([&] { write_dump(dump, buffers); });
  }
  if (!options.format.empty()) {
    written.emplace_back([&] {
      write_or_print(options.out,
                     render_sarif(report, provenance(std::chrono::system_clock::now())));
    });
  }
  deliver_report(
      options, [&] { return render_json(report); }, [&] { return html::render(report); },
      render_text(report, text::style_of_stdout()), std::move(written));
  return exit_code(report);
}

int run_command(const CountedLaunchOptions& options) {
  gpu::make_counted_launch(options.file, gpu::load_platform(options.gpu));
  return 0;
}

}  // namespace warpgrade::grader::cli
