// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/prepared_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "common/base/counted.h"
#include "common/base/error.h"
#include "common/compile/compiler.h"
#include "common/ptx/parser.h"
#include "common/run/launch_limits.h"
#include "common/run/shared_attribute.h"
#include "grader/cases/sized_case.h"
#include "grader/profile/arguments.h"
#include "grader/profile/parameter_names.h"

namespace warpgrade::grader::profile {
namespace {

constexpr std::uint64_t kMostWarps = std::uint64_t{1} << 27;
constexpr std::size_t kPointerBytes = 8;

// The kinds of argument that fit a parameter of `bytes` bytes, for a message.
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

std::size_t size_of(const run::Argument& argument) {
  if (const auto* value = std::get_if<run::ValueArgument>(&argument)) return value->size();
  const auto* structure = std::get_if<run::StructArgument>(&argument);
  return structure == nullptr ? kPointerBytes : structure->bytes.size();
}

// The fault in the arguments of a launch of `function`; empty if they fit.
std::string wrong_arguments(const ptx::Function& function, const run::Launch& launch) {
  const auto& parameters = function.parameters;
  const auto list = parameters.empty() ? " none" : expected_list(function);
  if (launch.arguments.size() != parameters.size()) {
    return fmt::format("the kernel takes {}, but {} {} given; it takes:{}",
                       base::counted(parameters.size(), "argument"), launch.arguments.size(),
                       launch.arguments.size() == 1 ? "is" : "are", list);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto bytes = size_of(launch.arguments[i]);
    if (bytes == parameters[i].bytes) continue;
    return fmt::format("argument {} has {}, but the parameter has {}; it takes:{}", i,
                       base::counted(bytes, "byte"), parameters[i].bytes, list);
  }
  return {};
}

}  // namespace

void fit_arguments(const ptx::Function& function, const std::string& signature,
                   std::vector<ArgumentSpec>& arguments) {
  const auto& parameters = function.parameters;
  const auto list = expected_list(function);
  const auto is_float = [](const ptx::Variable& parameter) {
    return parameter.type == ptx::Type::kF32 || parameter.type == ptx::Type::kF64;
  };
  const auto mismatch_of = [&](const std::string& why, std::optional<std::size_t> argument) {
    report::ArgumentMismatch mismatch(why + "; it takes:" + (parameters.empty() ? " none" : list));
    mismatch.kernel = signature;
    for (const auto& one : parameters) {
      mismatch.parameters.push_back({{}, one.bytes, is_float(one)});
    }
    mismatch.argument = argument;
    return mismatch;
  };
  if (arguments.size() != parameters.size()) {
    throw mismatch_of(fmt::format("{} takes {}, but {} --arg {} given", signature,
                                  base::counted(parameters.size(), "argument"), arguments.size(),
                                  arguments.size() == 1 ? "is" : "are"),
                      std::nullopt);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto& argument = arguments[i];
    const auto bytes = parameters[i].bytes;
    if (argument.fits_width && (is_float(parameters[i]) || !fit_width(argument, bytes))) {
      throw mismatch_of(fmt::format("--arg {} does not fit parameter {} of {}, which has {}",
                                    argument.text, i, signature,
                                    is_float(parameters[i]) ? fmt::format("the type f{}", 8 * bytes)
                                                            : base::counted(bytes, "byte")),
                        i);
    }
    if (argument.bytes() == bytes) continue;
    throw mismatch_of(fmt::format("--arg {} has {}, but parameter {} of {} has {}", argument.text,
                                  base::counted(argument.bytes(), "byte"), i, signature, bytes),
                      i);
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

// Names buffers after the source's parameters if these can be parsed.
void name_buffers(const std::string& source, const std::string& kernel,
                  const std::vector<run::Argument>& arguments, std::vector<run::Buffer>& buffers) {
  const auto names = parameter_names(source, kernel);
  if (names.size() != arguments.size()) return;
  std::set<std::size_t> named;  // A buffer that is passed twice has the first name.
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto* buffer = std::get_if<run::BufferArgument>(&arguments[i]);
    if (buffer == nullptr || names[i].empty() || !named.insert(buffer->index).second) continue;
    buffers.at(buffer->index).name = names[i];
  }
}

// Compiles the file with the instances among `kernels`. Returns nullopt on failure, with the
// diagnostics in the report.
std::optional<compile::Program> compile_file(const ProfiledLaunch& asked,
                                             const std::vector<std::string>& kernels,
                                             const device::Profile& profile,
                                             report::ProfileReport& report) {
  report.device = profile.name;
  report.file = asked.file.string();
  auto source = compile::read_source(asked.file);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  auto request = std::get<compile::CompileRequest>(std::move(source));
  request.architecture = profile.architecture;
  request.include_folders = asked.include_folders;
  request.options = asked.compiler_options;
  for (const auto& kernel : kernels) {
    if (kernel.find('<') != std::string::npos) request.instantiations.push_back(kernel);
  }
  report.source = request.source;
  report.file = request.file;
  auto compiled = compile::compile(request);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  auto program = std::get<compile::Program>(std::move(compiled));
  report.left_out = compile::describe(program.left_out, program.file);
  report.compiler_warnings = program.warnings;
  return program;
}

// The kernels with these names; nullopt if one is missing.
std::optional<std::vector<const compile::Kernel*>> find_all(const compile::Program& program,
                                                            const std::vector<std::string>& names,
                                                            report::ProfileReport& report) {
  std::vector<const compile::Kernel*> out;
  for (const auto& name : names) {
    const auto found = compile::find_kernel(program, name);
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) {
      report.diagnostics = {*wrong};
      return std::nullopt;
    }
    out.push_back(std::get<const compile::Kernel*>(found));
    auto& most = report.resources;
    const auto& one = out.back()->resources;
    if (out.size() == 1) most = one;
    most.registers_per_thread = std::max(most.registers_per_thread, one.registers_per_thread);
    most.static_shared_bytes = std::max(most.static_shared_bytes, one.static_shared_bytes);
    most.spill_store_bytes = std::max(most.spill_store_bytes, one.spill_store_bytes);
    most.spill_load_bytes = std::max(most.spill_load_bytes, one.spill_load_bytes);
  }
  return out;
}

// One launch as the command line describes it.
bool prepare_launch(const ProfiledLaunch& asked, report::ProfileReport& report, Prepared& out,
                    std::vector<run::Buffer>& buffers) {
  const auto kernels = find_all(out.program, {asked.kernel}, report);
  if (!kernels) return false;
  const auto* kernel = kernels->front();
  const auto* function = out.function(kernel->name);
  auto arguments = asked.arguments;
  if (function != nullptr) {
    try {
      fit_arguments(*function, kernel->signature, arguments);
    } catch (report::ArgumentMismatch& mismatch) {
      const auto names = parameter_names(report.source, asked.kernel);
      for (std::size_t i = 0; i < std::min(names.size(), mismatch.parameters.size()); ++i) {
        mismatch.parameters[i].name = names[i];
      }
      throw;
    }
  }
  auto made = make_arguments(arguments);
  buffers = std::move(made.buffers);
  name_buffers(report.source, asked.kernel, made.arguments, buffers);
  for (auto& buffer : symbol_buffers(out.module, asked.symbols)) {
    buffers.push_back(std::move(buffer));
  }
  auto launch = asked.launch;
  launch.kernel = kernel->name;
  launch.arguments = std::move(made.arguments);
  out.sequence = std::move(launch);
  return true;
}

// Throws base::UsageError if the device cannot make one of the launches, or if a kernel has other
// parameters.
void check_each_launch(const Prepared& prepared, const device::Profile& profile) {
  const auto limits = run::limits_of(profile);
  for (std::size_t i = 0; i < prepared.sequence.launches.size(); ++i) {
    const auto& launch = prepared.sequence.launches[i];
    auto wrong = run::wrong_launch(launch.grid, launch.block, launch.dynamic_shared_bytes, limits);
    const auto* function = prepared.function(launch.kernel);
    if (wrong.empty() && function != nullptr) wrong = wrong_arguments(*function, launch);
    if (!wrong.empty()) {
      throw base::UsageError(
          fmt::format("--sequence: {}: {}", run::launch_text(prepared.sequence, i), wrong));
    }
  }
}

// Launches as a file describes them.
bool prepare_sequence(const SequenceFile& asked, const device::Profile& profile,
                      report::ProfileReport& report, Prepared& out,
                      std::vector<run::Buffer>& buffers) {
  std::vector<std::string> names;
  for (const auto& step : asked.exercise.steps) {
    names.push_back(course::kernel_name(step.kernel, asked.variables));
  }
  const auto kernels = find_all(out.program, names, report);
  if (!kernels) return false;
  names.clear();
  for (const auto* kernel : *kernels) names.push_back(kernel->name);
  out.sequence = cases::size_launches(asked.exercise, asked.variables).of(names);
  check_each_launch(out, profile);
  buffers = make_arguments(asked.buffers).buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    buffers[i].name = course::parameter_name(asked.exercise.parameters.at(i));
  }
  report.kernel = run::kernels_text(out.sequence);
  return true;
}

}  // namespace

const ptx::Function* Prepared::function(const std::string& kernel) const {
  const auto found =
      std::find_if(module.functions.begin(), module.functions.end(),
                   [&](const auto& one) { return one.is_entry && one.name == kernel; });
  return found == module.functions.end() ? nullptr : &*found;
}

void list_symbols(const ProfiledLaunch& asked, const device::Profile& profile,
                  report::ProfileReport& report) {
  std::vector<std::string> kernels;
  if (!asked.kernel.empty()) kernels.push_back(asked.kernel);
  const auto program = compile_file(asked, kernels, profile, report);
  if (program) report.symbols = symbols_of(ptx::parse(program->ptx, report.file));
}

std::optional<Prepared> prepare(const ProfiledLaunch& asked, const device::Profile& profile,
                                report::ProfileReport& report, std::vector<run::Buffer>& buffers) {
  if (!asked.sequence) check_geometry(asked.launch, profile);
  report.kernel = asked.kernel;
  report.launch = asked.launch;
  const auto names = asked.sequence ? asked.sequence->kernels() : std::vector{asked.kernel};
  auto program = compile_file(asked, names, profile, report);
  if (!program) return std::nullopt;
  Prepared out;
  out.program = *std::move(program);
  out.module = ptx::parse(out.program.ptx, report.file);
  const bool is_made = asked.sequence
                           ? prepare_sequence(*asked.sequence, profile, report, out, buffers)
                           : prepare_launch(asked, report, out, buffers);
  if (!is_made) return std::nullopt;
  report.launch = out.sequence.first();
  report.note = run::shared_attribute_text(out.sequence, out.program);
  return out;
}

}  // namespace warpgrade::grader::profile
