// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/profiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "common/base/error.h"
#include "common/compile/compiler.h"
#include "common/ptx/parser.h"
#include "common/run/launch_limits.h"
#include "grader/cases/schedules.h"
#include "grader/profile/arguments.h"
#include "grader/profile/parameter_names.h"
#include "grader/text/scalars.h"

namespace warpgrade::grader {
namespace {

// Units of work (common/sim/work.h) that a block and a launch may use before they are called a
// runaway: ten seconds of one core, and five minutes.
constexpr std::uint64_t kBlockBudget = std::uint64_t{1} << 30;
constexpr std::uint64_t kLaunchBudget = std::uint64_t{1} << 35;
// The limit on a launch that is simulated beside a GPU: under a minute.
constexpr std::uint64_t kBesideBudget = std::uint64_t{1} << 33;
constexpr std::uint32_t kSamples = 21;  // odd, so that the median is one of them
constexpr std::uint64_t kMostWarps = std::uint64_t{1} << 27;
constexpr std::size_t kPointerBytes = 8;

// What a parameter of so many bytes can be.
std::string_view kinds_of(std::uint64_t bytes) {
  switch (bytes) {
    case 1:
      return "bool, i8 or u8";
    case 2:
      return "i16 or u16";
    case 4:
      return "i32, u32 or f32";
    case kPointerBytes:
      return "a buffer (in:..., inout:..., out:..., same:INDEX), i64, u64 or f64";
    default:
      return "struct:HEXBYTES";
  }
}

std::string expected_list(const ptx::Function& function) {
  std::string out;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto bytes = function.parameters[i].bytes;
    out += fmt::format("\n  {}: {} byte{}: {}", i, bytes, bytes == 1 ? "" : "s", kinds_of(bytes));
  }
  return out;
}

const ptx::Function* find(const ptx::Module& module, const std::string& name) {
  const auto found =
      std::find_if(module.functions.begin(), module.functions.end(),
                   [&](const auto& one) { return one.is_entry && one.name == name; });
  return found == module.functions.end() ? nullptr : &*found;
}

}  // namespace

void check_parameters(const ptx::Function& function, const std::string& signature,
                      const std::vector<ArgumentSpec>& arguments) {
  const auto& parameters = function.parameters;
  const auto list = expected_list(function);
  if (arguments.size() != parameters.size()) {
    throw base::UsageError(fmt::format("{} takes {} arguments, but {} --arg are given; it takes:{}",
                                       signature, parameters.size(), arguments.size(),
                                       parameters.empty() ? " none" : list));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].bytes() == parameters[i].bytes) continue;
    throw base::UsageError(fmt::format(
        "--arg {} has {} bytes, but parameter {} of {} has {}; it takes:{}", arguments[i].text,
        arguments[i].bytes(), i, signature, parameters[i].bytes, list));
  }
}

void check_geometry(const run::Launch& launch, const device::Profile& profile) {
  const auto& grid = launch.grid;
  const auto& block = launch.block;
  const auto limits = run::limits_of(profile);
  const auto check = [](const std::string& option, const std::string& wrong) {
    if (!wrong.empty()) throw base::UsageError(option + ": " + wrong);
  };
  check(fmt::format("--grid {},{},{}", grid.x, grid.y, grid.z), run::wrong_grid(grid, limits));
  check(fmt::format("--block {},{},{}", block.x, block.y, block.z),
        run::wrong_block(block, limits));
  check(fmt::format("--shared {}", launch.dynamic_shared_bytes),
        run::wrong_shared_bytes(launch.dynamic_shared_bytes, limits));
  const auto warps = (base::volume(block) + run::kWarpSize - 1) / run::kWarpSize;
  const auto all = static_cast<double>(grid.x) * grid.y * grid.z * static_cast<double>(warps);
  if (all > static_cast<double>(kMostWarps)) {
    throw base::UsageError(
        fmt::format("the launch has {:.3g} warps; 2^27 is the most that can be profiled", all));
  }
}

namespace {

// The seed of the further orders: any fixed number does, so that the same command always says the
// same.
constexpr std::uint64_t kOrderSeed = 1;

// Whether a right kernel could come out differently in another order: who is first at an atomic,
// clocks, places of malloc(), which lanes happen to be together.
bool may_depend_on_order(const ptx::Function& function) {
  using ptx::Opcode;
  using ptx::SpecialRegister;
  const auto& all = function.instructions;
  return std::any_of(all.begin(), all.end(), [](const ptx::Instruction& in) {
    const auto special = [](const ptx::Operand& operand) {
      if (operand.kind != ptx::Operand::Kind::kSpecial) return false;
      const auto which = static_cast<SpecialRegister>(operand.index);
      return which >= SpecialRegister::clock && which <= SpecialRegister::smid;
    };
    return in.opcode == Opcode::atom || in.opcode == Opcode::red || in.opcode == Opcode::call ||
           in.opcode == Opcode::activemask || in.opcode == Opcode::mbarrier ||
           std::any_of(in.operands.begin(), in.operands.end(), special);
  });
}

// "out[5]": the first element that differs; empty where there is none.
std::string first_differing_buffer(const std::vector<run::Buffer>& a,
                                   const std::vector<run::Buffer>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& bytes = a[i].bytes;
    const auto other = std::mismatch(bytes.begin(), bytes.end(), b[i].bytes.begin()).first;
    if (other == bytes.end()) continue;
    const auto offset = static_cast<std::size_t>(other - bytes.begin());
    return fmt::format("{}[{}]", a[i].name, offset / std::max(a[i].element_bytes, 1U));
  }
  return {};
}

// Names buffers as the source names the parameters, where it can be read off.
void name_buffers(const std::string& source, const std::string& kernel,
                  const std::vector<run::Argument>& arguments, std::vector<run::Buffer>& buffers) {
  const auto names = parameter_names(source, kernel);
  if (names.size() != arguments.size()) return;
  std::set<std::size_t> named;  // One that is handed in twice has the first name.
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto* buffer = std::get_if<run::BufferArgument>(&arguments[i]);
    if (buffer == nullptr || names[i].empty() || !named.insert(buffer->index).second) continue;
    buffers.at(buffer->index).name = names[i];
  }
}

// A launch with which nothing is wrong so far, in other orders of warps and blocks.
void run_in_schedules(const compile::Program& program, const ptx::Function* function,
                      measure::SimBench& bench, const std::vector<run::Buffer>& before,
                      const std::vector<run::Buffer>& after, ProfileReport& report) {
  const auto seeds = schedule_seeds(kOrderSeed, report.measurement, kMostProfiledInstructions);
  for (auto& run : bench.run_in_schedules(program, report.launch, before, report.measurement, seeds,
                                          kBlockBudget)) {
    if (!run.diagnostics.empty()) {
      add_replay(run.diagnostics, "run the same command");
      report.diagnostics = std::move(run.diagnostics);
      return;
    }
    const auto where = first_differing_buffer(after, run.buffers);
    if (where.empty()) continue;
    report.note = fmt::format(
        "{} comes out differently when warps and blocks run in another order. A GPU may run them "
        "in any order.",
        where);
    if (function == nullptr || may_depend_on_order(*function)) {
      report.note +=
          " That is right only if any of the results is: sums of floats by atomics "
          "round differently, and places that an atomic hands out change.";
    } else {
      auto& race = report.diagnostics.emplace_back();
      race.kind = base::DiagnosticKind::kRace;
      race.where.file = report.file;
      race.message = std::move(report.note) +
                     " Look for a place where one thread relies on another without a barrier.";
      report.note.clear();
    }
    return;
  }
}

// The simulator's counters of the launch, to stand beside the card's.
measure::GpuCounters simulate_beside(const compile::Program& program, const compile::Kernel& kernel,
                                     const run::Launch& launch, std::vector<run::Buffer> buffers,
                                     const device::Profile& profile) {
  run::Options options;
  options.block_budget = kBlockBudget;
  options.launch_budget = kBesideBudget;
  try {
    auto made = measure::sim_bench(profile)->measure(program, kernel, launch, buffers, options);
    const auto& wrong = made.result.diagnostics;
    if (wrong.empty()) return {std::move(made.metrics), {}};
    return {{}, fmt::format("{}: {}", base::name(wrong.front().kind), wrong.front().message)};
  } catch (const base::ToolError& error) {
    return {{}, error.what()};
  }
}

// A card's counters, and the simulator's where there are any to compare them with.
void add_counters(const compile::Program& program, const compile::Kernel& kernel,
                  measure::GpuBench& bench, const std::vector<run::Buffer>& before,
                  ProfileReport& report) {
  auto counted = bench.count(program, report.launch, before);
  report.counters_missing = std::move(counted.reason);
  report.measurement.metrics = std::move(counted.metrics);
  if (report.measurement.metrics.empty()) return;
  report.simulated = simulate_beside(program, kernel, report.launch, before, bench.profile());
}

// A kernel that is compiled and found, with its PTX.
struct Prepared {
  compile::Program program;
  const compile::Kernel* kernel = nullptr;
  ptx::Module module;
  const ptx::Function* function = nullptr;  // nullptr: the PTX has no entry of the kernel's name
};

// Compiles and finds the kernel, and makes its arguments. Nothing where that is not possible: then
// the report has the diagnostics.
std::optional<Prepared> prepare(const ProfiledLaunch& asked, const device::Profile& profile,
                                ProfileReport& report, std::vector<run::Buffer>& buffers) {
  check_geometry(asked.launch, profile);
  report.kernel = asked.kernel;
  report.device = profile.name;
  report.file = asked.file.string();
  report.launch = asked.launch;
  auto source = compile::read_source(asked.file);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  auto request = std::get<compile::CompileRequest>(std::move(source));
  request.architecture = profile.architecture;
  request.include_folders = asked.include_folders;
  if (asked.kernel.find('<') != std::string::npos) request.instantiations = {asked.kernel};
  report.source = request.source;
  report.file = request.file;
  auto compiled = compile::compile(request);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  Prepared out;
  out.program = std::get<compile::Program>(std::move(compiled));
  report.left_out = compile::describe(out.program.left_out, out.program.file);
  const auto found = compile::find_kernel(out.program, asked.kernel);
  if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) {
    report.diagnostics = {*wrong};
    return std::nullopt;
  }
  out.kernel = std::get<const compile::Kernel*>(found);
  report.resources = out.kernel->resources;

  out.module = ptx::parse(out.program.ptx, request.file);
  out.function = find(out.module, out.kernel->name);
  if (out.function != nullptr) {
    check_parameters(*out.function, out.kernel->signature, asked.arguments);
  }
  auto made = make_arguments(asked.arguments);
  buffers = std::move(made.buffers);
  name_buffers(request.source, asked.kernel, made.arguments, buffers);
  report.launch.kernel = out.kernel->name;
  report.launch.arguments = std::move(made.arguments);
  return out;
}

}  // namespace

ProfileReport profile(const ProfiledLaunch& asked, measure::SimBench& bench,
                      std::vector<run::Buffer>& buffers) {
  ProfileReport report;
  report.backend = run::Backend::kSim;
  const auto prepared = prepare(asked, bench.profile(), report, buffers);
  if (!prepared) return report;
  run::Options options;
  options.block_budget = kBlockBudget;
  options.launch_budget = kLaunchBudget;
  const auto before = buffers;
  report.measurement = bench.measure(prepared->program, *prepared->kernel, report.launch, buffers,
                                     options, [&](bool /*inputs_too*/) { return before; });
  report.diagnostics = report.measurement.result.diagnostics;
  if (report.diagnostics.empty()) {
    run_in_schedules(prepared->program, prepared->function, bench, before, buffers, report);
  }
  return report;
}

ProfileReport profile(const ProfiledLaunch& asked, measure::GpuBench& bench,
                      std::vector<run::Buffer>& buffers) {
  ProfileReport report;
  report.backend = run::Backend::kGpu;
  const auto prepared = prepare(asked, bench.profile(), report, buffers);
  if (!prepared) return report;
  const auto before = buffers;
  report.measurement =
      bench.measure(prepared->program, *prepared->kernel, report.launch, buffers, kSamples);
  report.diagnostics = report.measurement.result.diagnostics;
  if (report.diagnostics.empty()) {
    add_counters(prepared->program, *prepared->kernel, bench, before, report);
  }
  return report;
}

}  // namespace warpgrade::grader
