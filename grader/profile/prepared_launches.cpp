// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/prepared_launches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/compile/directives.h"
#include "common/compile/instances.h"
#include "common/compile/program.h"
#include "common/compile/ptx_file.h"
#include "common/compile/signature.h"
#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/timing/bound.h"
#include "grader/cases/sized_case.h"
#include "grader/course/exercise.h"
#include "grader/course/sequence_reader.h"
#include "grader/profile/arguments.h"
#include "grader/profile/parameter_types.h"
#include "grader/report/profile_report.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::profile {
namespace {

void check_name(const text::Table& table, const std::string& name, std::set<std::string>& seen) {
  if (!seen.insert(name).second) {
    table.fail("name", fmt::format("`{}` is there twice", base::escape_controls(name)));
  }
}

// A buffer as the readers of launches know it.
course::BufferParameter read_buffer(text::Table table, std::set<std::string>& seen,
                                    SequenceFile& out) {
  const auto name = table.text("name");
  check_name(table, name, seen);
  try {
    out.buffers.push_back(parse_argument(table.text("spec")));
  } catch (const base::TomlError&) {
    throw;
  } catch (const base::UsageError& error) {
    table.fail("spec", error.what());
  }
  const auto* buffer = std::get_if<BufferSpec>(&out.buffers.back().value);
  if (buffer == nullptr)
    table.fail("spec", "is not a buffer (in:..., inout:..., out:...); numbers are [[value]]");
  table.finish();
  course::BufferParameter parameter{name,
                                    buffer->type,
                                    {std::to_string(buffer->count), table.where()},
                                    {"1", table.where()},
                                    verify::Fill{},
                                    course::NotCompared{}};
  if (!buffer->is_input) parameter.comparison = course::EqualBits{};
  return parameter;
}

course::ValueParameter read_number(text::Table& table, const std::string& name) {
  const auto given = table.text("type");
  const bool is_bool = given == "bool";
  const auto type = verify::element_type(is_bool ? "u8" : given);
  if (!type) table.fail("type", "must be one of bool i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
  return {name, *type, is_bool, table.expression("value")};
}

course::ValueParameter read_value(text::Table table, std::set<std::string>& seen) {
  const auto name = table.text("name");
  check_name(table, name, seen);
  auto out = read_number(table, name);
  table.finish();
  return out;
}

course::Field read_member(text::Table& table, const std::string& structure,
                          std::set<std::string>& seen) {
  const auto name = table.text("name");
  check_name(table, name, seen);
  const auto full_name = structure + '.' + name;
  if (table.accept("buffer")) {
    return course::SameParameter{full_name, table.text("buffer"), table.where("buffer")};
  }
  if (table.accept("type")) return read_number(table, full_name);
  table.fail("name", "is neither a number (`type`, `value`) nor an address (`buffer`)");
}

course::StructParameter read_structure(text::Table table, std::set<std::string>& seen) {
  course::StructParameter out{table.text("name"), {}};
  check_name(table, out.name, seen);
  std::set<std::string> names;
  for (auto& field : table.tables("field")) {
    out.fields.push_back(read_member(field, out.name, names));
    field.finish();
  }
  if (out.fields.empty()) table.fail("name", "has no [[struct.field]]");
  table.finish();
  return out;
}

}  // namespace

std::vector<std::string> SequenceFile::kernels() const {
  std::vector<std::string> out;
  for (const auto& step : exercise.steps) {
    auto name = course::kernel_name(step.kernel, variables);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

SequenceFile read_sequence_file(const std::filesystem::path& file) {
  const auto shown = file.string();
  const auto root = base::parse_toml(text::read_file(file, shown), shown);
  text::Table table(root, shown, "sequence");
  SequenceFile out;
  if (table.accept("variables")) out.variables = table.variables("variables");
  std::set<std::string> seen;
  auto& parameters = out.exercise.parameters;
  for (auto& buffer : table.tables("buffer")) parameters.push_back(read_buffer(buffer, seen, out));
  for (auto& value : table.tables("value")) parameters.push_back(read_value(value, seen));
  for (auto& each : table.tables("struct")) parameters.push_back(read_structure(each, seen));
  read_steps(table, out.exercise);
  table.finish();
  const text::Expression one{"1", table.where()};
  out.exercise.reference_launch = {{one, one, one}, {one, one, one}, {"0", table.where()}};
  for (const auto* name : {"step", "round"}) {
    if (!out.variables.contains(name)) continue;
    table.fail("variables", fmt::format("`{}` counts launches; give it another name", name));
  }
  check_launches(out.exercise, out.variables, kMostBufferBytes);
  try {
    out.kernels();
  } catch (const base::UsageError& error) {
    table.fail("launch", error.what());
  }
  return out;
}

namespace {

// Looks for `name ( ... ) {` and returns the last word of each parameter.

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

// "const float* in" -> "in", "int n = 3" -> "n"; empty without a name.
std::string name_of(std::string_view parameter) {
  parameter = parameter.substr(0, parameter.find_first_of("=["));
  while (!parameter.empty() && !base::is_word_letter(parameter.back())) parameter.remove_suffix(1);
  auto begin = parameter.size();
  while (begin > 0 && base::is_word_letter(parameter[begin - 1])) --begin;
  // A single word is a type.
  return begin == 0 ? std::string() : std::string(parameter.substr(begin));
}

// The parameters in the list that opens at `open`; its end is left in `close`.
std::vector<std::string> split(std::string_view text, std::size_t open, std::size_t& close) {
  std::vector<std::string> names;
  int depth = 0;
  auto begin = open + 1;
  for (close = open; close < text.size(); ++close) {
    const char c = text[close];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    const bool ends = c == ')' && depth == 1;
    if (ends || (c == ',' && depth == 1)) {
      const auto piece = text.substr(begin, close - begin);
      if (!ends || skip_space(piece, 0) < piece.size()) names.push_back(name_of(piece));
      begin = close + 1;
    }
    if (ends) return names;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
  }
  return {};
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel) {
  auto name = kernel.substr(0, kernel.find('<'));
  if (const auto scope = name.rfind("::"); scope != std::string_view::npos) {
    name.remove_prefix(scope + 2);
  }
  const auto text = compile::blank_comments_and_literals(source);
  for (std::size_t at = text.find(name); !name.empty() && at != std::string::npos;
       at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at > 0 && base::is_word_letter(text[at - 1])) ||
        (end < text.size() && base::is_word_letter(text[end])))
      continue;
    const auto open = skip_space(text, end);
    if (open >= text.size() || text[open] != '(') continue;
    std::size_t close = open;
    auto names = split(text, open, close);
    const auto body = skip_space(text, close + 1);
    if (body < text.size() && text[body] == '{') return names;
  }
  return {};
}

namespace {

bool is_symbol(const ptx::Variable& variable) {
  // Names with $ are the compiler's own, such as the text of printf.
  return (variable.space == ptx::StateSpace::kGlobal ||
          variable.space == ptx::StateSpace::kConstant) &&
         variable.name.find('$') == std::string::npos;
}

[[noreturn]] void refuse_symbol(std::string_view name, const std::string& why) {
  throw base::UsageError(fmt::format("--symbol {}: {}", base::escape_controls(name), why));
}

const ptx::Variable& find(const ptx::Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& variable : module.variables) {
    if (!is_symbol(variable)) continue;
    names.push_back(base::source_name(variable.name));
    if (variable.name == name || names.back() == name) return variable;
  }
  const auto known = names.empty() ? "none" : text::joined(std::span<const std::string>(names));
  refuse_symbol(name, fmt::format("the program has no __constant__ or __device__ variable of this "
                                  "name; it has {}",
                                  known));
}

}  // namespace

SymbolSpec parse_symbol(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    refuse_symbol(text, "must be NAME=SPEC, such as weights=in:f32:9:zeros");
  }
  return {std::string(text.substr(0, equals)), parse_argument(text.substr(equals + 1))};
}

std::vector<run::Buffer> symbol_buffers(const ptx::Module& module,
                                        const std::vector<SymbolSpec>& specs) {
  std::vector<run::Buffer> out;
  for (const auto& spec : specs) {
    const auto& variable = find(module, spec.name);
    auto buffer = make_buffer(spec.content);
    buffer.name = spec.name;
    buffer.symbol = variable.name;
    buffer.defined = true;  // Variables start with a content, zeros by default.
    if (buffer.bytes.size() != variable.bytes) {
      refuse_symbol(spec.name, fmt::format("the variable has {}, but {} has {}",
                                           base::counted(variable.bytes, "byte"), spec.content.text,
                                           buffer.bytes.size()));
    }
    const bool is_double = std::any_of(out.begin(), out.end(), [&](const run::Buffer& other) {
      return other.symbol == buffer.symbol;
    });
    if (is_double) refuse_symbol(spec.name, "is there twice");
    out.push_back(std::move(buffer));
  }
  return out;
}

std::vector<report::ModuleSymbol> symbols_of(const ptx::Module& module) {
  std::vector<report::ModuleSymbol> out;
  for (const auto& variable : module.variables) {
    if (!is_symbol(variable)) continue;
    out.push_back({base::source_name(variable.name), variable.space == ptx::StateSpace::kConstant,
                   variable.bytes, variable.initial, !variable.relocations.empty()});
  }
  return out;
}

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
      return "struct:HEXBYTES, or a [[struct]] with named fields in a --sequence file";
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

static bool is_float(const ptx::Variable& parameter) {
  return parameter.type == ptx::Type::kF32 || parameter.type == ptx::Type::kF64;
}

/// Gives each `int:` argument the width of its parameter. Throws base::UsageError, with the
/// expected list, if `arguments` do not fit the parameters of `function` in number or size;
/// `signature` is the kernel's.
static void fit_arguments(const ptx::Function& function, const std::string& signature,
                          std::vector<ArgumentSpec>& arguments) {
  const auto& parameters = function.parameters;
  const auto refuse = [&](const std::string& why) {
    throw base::UsageError(
        why + "; it takes:" + (parameters.empty() ? " none" : expected_list(function)));
  };
  if (arguments.size() != parameters.size()) {
    refuse(fmt::format("{} takes {}, but {} --arg {} given", signature,
                       base::counted(parameters.size(), "argument"), arguments.size(),
                       arguments.size() == 1 ? "is" : "are"));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto& argument = arguments[i];
    const auto bytes = parameters[i].bytes;
    if (argument.fits_width && (is_float(parameters[i]) || !fit_width(argument, bytes))) {
      refuse(fmt::format("--arg {} does not fit parameter {} of {}, which has {}", argument.text, i,
                         signature,
                         is_float(parameters[i]) ? fmt::format("the type f{}", 8 * bytes)
                                                 : base::counted(bytes, "byte")));
    }
    if (argument.bytes() == bytes) continue;
    refuse(fmt::format("--arg {} has {}, but parameter {} of {} has {}", argument.text,
                       base::counted(argument.bytes(), "byte"), i, signature, bytes));
  }
}

void check_geometry(const run::Launch& launch, const device::Profile& profile) {
  const auto& grid = launch.grid;
  const auto& block = launch.block;
  const auto limits = run::limits_of(profile);
  const auto check = [](const std::string& option, const std::string& wrong) {
    if (!wrong.empty()) throw base::UsageError(option + ": " + wrong);
  };
  const auto option = [](const char* name) {
    return base::for_caller("--" + std::string(name), name);
  };
  check(fmt::format("{} {},{},{}", option("grid"), grid.x, grid.y, grid.z),
        run::wrong_grid(grid, limits));
  check(fmt::format("{} {},{},{}", option("block"), block.x, block.y, block.z),
        run::wrong_block(block, limits));
  check(
      fmt::format("{} {}", base::for_caller("--shared", "shared_mem"), launch.dynamic_shared_bytes),
      run::wrong_shared_bytes(launch.dynamic_shared_bytes, limits));
  const auto warps = (base::volume(block) + run::kWarpSize - 1) / run::kWarpSize;
  const auto all = static_cast<double>(grid.x) * grid.y * grid.z * static_cast<double>(warps);
  if (all > static_cast<double>(kMostWarps)) {
    throw base::UsageError(
        fmt::format("the launch has {:.3g} warps; 2^27 is the most that can be profiled", all));
  }
}

namespace {

// The most threads of a block whose registers fit on a multiprocessor: whole warps.
std::uint32_t most_threads(const compile::Resources& resources, const device::Profile& profile) {
  auto threads = profile.sm.limits.threads_per_block;
  const auto fits = [&] {
    return timing::occupancy(profile, threads, resources.registers_per_thread,
                             resources.static_shared_bytes)
               .blocks_per_sm > 0;
  };
  while (threads > run::kWarpSize && !fits()) threads -= run::kWarpSize;
  return threads;
}

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

// Reads the PTX file of `asked`, which needs no compiler.
std::optional<compile::Program> read_ptx(const ProfiledLaunch& asked,
                                         const device::Profile& profile,
                                         report::ProfileReport& report) {
  auto read = compile::read_ptx_file(asked.file, std::string(profile.architecture));
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&read)) {
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  auto program = std::get<compile::Program>(std::move(read));
  report.file = program.file;
  report.source = program.source;
  return program;
}

// Programs by key, of which a process that answers many requests keeps the newest.
class KeptPrograms {
 public:
  const compile::Program* find(const std::string& key) const {
    const auto found = std::ranges::find(kept_, key, &Kept::first);
    return found == kept_.end() ? nullptr : &found->second;
  }
  void keep(const std::string& key, const compile::Program& program) {
    constexpr std::size_t kMost = 64;
    if (kept_.size() == kMost) kept_.pop_front();
    kept_.emplace_back(key, program);
  }

 private:
  using Kept = std::pair<std::string, compile::Program>;
  std::deque<Kept> kept_;
};

// The kernels that a program must contain: by name; all, if no name is given; or any.
using Wanted = std::optional<std::vector<std::string>>;

// An empty name stands for the file's only kernel.
Wanted wanted(const std::string& kernel) {
  return kernel.empty() ? std::vector<std::string>() : std::vector{kernel};
}

// The request to compile the file with the instances that `kernels` need. Returns nullopt for a
// file that is no text, with the diagnostics in the report.
std::optional<compile::CompileRequest> request_for(const ProfiledLaunch& asked,
                                                   const Wanted& kernels,
                                                   const device::Profile& profile,
                                                   report::ProfileReport& report) {
  auto source = compile::read_source(asked.file);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  auto request = std::get<compile::CompileRequest>(std::move(source));
  request.architecture = profile.architecture;
  request.include_folders = asked.include_folders;
  request.options = asked.compiler_options;
  if (kernels) request.instantiations = compile::instances_for(request.source, *kernels);
  return request;
}

// Compiles the file with the instances that `kernels` need. Returns nullopt on failure, with the
// diagnostics in the report.
std::optional<compile::Program> compile_file(const ProfiledLaunch& asked, const Wanted& kernels,
                                             const device::Profile& profile,
                                             report::ProfileReport& report) {
  static KeptPrograms programs;
  report.device = profile.name;
  report.file = asked.file.string();
  const bool is_ptx = compile::is_ptx_file(asked.file);
  std::optional<compile::CompileRequest> request;
  if (!is_ptx) {
    request = request_for(asked, kernels, profile, report);
    if (!request) return std::nullopt;
  }
  const auto key =
      fmt::format("{} {} {}", asked.same_program, profile.architecture,
                  fmt::join(request ? request->instantiations : std::vector<std::string>(), ";"));
  if (const auto* kept = asked.same_program.empty() ? nullptr : programs.find(key)) {
    report.file = kept->file;
    report.source = kept->source;
    report.left_out = compile::describe(kept->left_out, kept->file);
    report.compiler_warnings = kept->warnings;
    return *kept;
  }
  if (is_ptx) {
    auto program = read_ptx(asked, profile, report);
    if (program && !asked.same_program.empty()) programs.keep(key, *program);
    return program;
  }
  report.source = request->source;
  report.file = request->file;
  auto compiled = compile::compile(*request);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    report.warnings = compile::take_warnings(*wrong);
    report.diagnostics = std::move(*wrong);
    return std::nullopt;
  }
  auto program = std::get<compile::Program>(std::move(compiled));
  report.left_out = compile::describe(program.left_out, program.file);
  report.compiler_warnings = program.warnings;
  if (!asked.same_program.empty()) programs.keep(key, program);
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

// The kernel of one launch. An empty name means the file's only kernel. The report has its full
// name. nullptr if it is missing.
const compile::Kernel* find_one(const compile::Program& program, const std::string& name,
                                report::ProfileReport& report) {
  const auto full = [](const compile::Kernel& kernel) {
    return compile::parse_signature(kernel.signature).name;
  };
  const auto wanted =
      name.empty() ? full(compile::only_kernel(program, base::for_caller("--kernel", "name=")))
                   : name;
  const auto kernels = find_all(program, {wanted}, report);
  report.kernel = wanted;
  if (!kernels) return nullptr;
  const bool is_instance = full(*kernels->front()).find('<') != std::string::npos &&
                           wanted.find('<') == std::string::npos;
  if (is_instance) report.kernel = full(*kernels->front());
  return kernels->front();
}

// One launch as the command line describes it.
bool prepare_launch(const ProfiledLaunch& asked, report::ProfileReport& report, Prepared& out,
                    std::vector<run::Buffer>& buffers) {
  const auto* kernel = find_one(out.program, asked.kernel, report);
  if (kernel == nullptr) return false;
  const auto* function = out.function(kernel->name);
  auto arguments = asked.arguments;
  if (function != nullptr) fit_arguments(*function, kernel->signature, arguments);
  auto made = make_arguments(arguments);
  buffers = std::move(made.buffers);
  name_buffers(report.source, report.kernel, made.arguments, buffers);
  for (auto& buffer : symbol_buffers(out.program.ptx.module(), asked.symbols)) {
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
      throw base::UsageError(fmt::format("{}: {}: {}", base::for_caller("--sequence", "sequence"),
                                         run::launch_text(prepared.sequence, i), wrong));
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
  return ptx::find_function(program.ptx.module(), kernel);
}

void list_symbols(const ProfiledLaunch& asked, const device::Profile& profile,
                  report::ProfileReport& report) {
  const auto kernels = asked.kernel.empty() ? Wanted() : wanted(asked.kernel);
  const auto program = compile_file(asked, kernels, profile, report);
  if (program) report.symbols = symbols_of(program->ptx.module());
}

namespace {

// The parameters of `function`, with what `names` and `types` know of them.
std::vector<report::KernelFacts::Parameter> parameters_of(const ptx::Function& function,
                                                          const std::vector<std::string>& names,
                                                          const std::vector<ParameterType>& types) {
  std::vector<report::KernelFacts::Parameter> out;
  for (const auto& parameter : function.parameters) {
    const auto i = out.size();
    auto& one = out.emplace_back();
    one.bytes = parameter.bytes;
    one.is_float = is_float(parameter);
    one.is_number = parameter.type != ptx::Type::kB8;
    if (names.size() == function.parameters.size()) one.name = names[i];
    if (types.size() != function.parameters.size()) continue;
    one.type = types[i].name;
    one.pointee_bytes = types[i].pointee_bytes;
  }
  return out;
}

}  // namespace

void list_kernel(const ProfiledLaunch& asked, const device::Profile& profile,
                 report::ProfileReport& report) {
  report.kernel = asked.kernel;
  const auto program = compile_file(asked, wanted(asked.kernel), profile, report);
  if (!program) return;
  const auto* found = find_one(*program, asked.kernel, report);
  if (found == nullptr) return;
  const auto& kernel = *found;
  report::KernelFacts facts;
  facts.kernel = report.kernel;
  facts.resources = kernel.resources;
  facts.architecture = program->architecture;
  const auto most_shared = profile.shared.max_bytes_per_block;
  facts.most_dynamic_bytes =
      most_shared - std::min(most_shared, kernel.resources.static_shared_bytes);
  facts.most_threads = most_threads(kernel.resources, profile);
  if (const auto* function = ptx::find_function(program->ptx.module(), kernel.name)) {
    const auto bound = static_cast<std::uint32_t>(function->most_threads);
    if (bound != 0) facts.most_threads = std::min(facts.most_threads, bound);
    std::vector<ParameterType> types;  // PTX does not have them.
    if (!compile::is_ptx_file(asked.file)) {
      const auto request = request_for(asked, wanted(report.kernel), profile, report);
      if (!request) return;
      types = parameter_types(*request, report.kernel);
    }
    facts.parameters =
        parameters_of(*function, parameter_names(report.source, report.kernel), types);
  }
  report.facts = std::move(facts);
}

std::optional<Prepared> prepare(const ProfiledLaunch& asked, const device::Profile& profile,
                                report::ProfileReport& report, std::vector<run::Buffer>& buffers) {
  if (!asked.sequence) check_geometry(asked.launch, profile);
  report.kernel = asked.kernel;
  report.launch = asked.launch;
  const auto names = asked.sequence ? asked.sequence->kernels() : *wanted(asked.kernel);
  auto program = compile_file(asked, names, profile, report);
  if (!program) return std::nullopt;
  Prepared out;
  out.program = *std::move(program);
  const bool is_made = asked.sequence
                           ? prepare_sequence(*asked.sequence, profile, report, out, buffers)
                           : prepare_launch(asked, report, out, buffers);
  if (!is_made) return std::nullopt;
  report.launch = out.sequence.first();
  report.note = run::shared_attribute_text(out.sequence, out.program);
  if (!out.program.not_assembled.empty()) {
    report.note += fmt::format(
        "{}Registers are unknown, so occupancy and time are those of a "
        "kernel whose registers are no limit: {}.",
        report.note.empty() ? "" : " ", out.program.not_assembled);
  }
  return out;
}

}  // namespace warpgrade::grader::profile
