// SPDX-License-Identifier: Apache-2.0
#include "common/compile/ptx_file.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/temporary_folder.h"
#include "common/base/text.h"
#include "common/compile/child.h"
#include "common/compile/compiler.h"
#include "common/compile/directives.h"
#include "common/compile/program.h"
#include "common/compile/signature.h"
#include "common/compile/toolkit.h"

namespace warpgrade::compile {
namespace {

namespace fs = std::filesystem;

// ptxas needs less than a second for most kernels.
constexpr std::chrono::seconds kAssemblyTime{60};

// The word after the first `directive`; empty without one. `plain` has no comments.
std::string_view word_after(std::string_view plain, std::string_view directive) {
  for (auto at = plain.find(directive); at != std::string_view::npos;
       at = plain.find(directive, at + 1)) {
    auto rest = plain.substr(at + directive.size());
    const auto begin = rest.find_first_not_of(" \t");
    if (begin == 0 || begin == std::string_view::npos) continue;
    rest.remove_prefix(begin);
    return rest.substr(0, rest.find_first_of(" \t\r\n,;"));
  }
  return {};
}

struct Target {
  unsigned number = 0;
  char suffix = 0;  // 'a': only this device; 'f': its family.
};

// "sm_90a" -> {90, 'a'}; nullopt for other text.
std::optional<Target> target_of(std::string_view text) {
  constexpr std::string_view kPrefix = "sm_";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  Target out;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out.number);
  if (error != std::errc() || end - rest > 1) return std::nullopt;
  if (rest != end) out.suffix = *rest;
  return out;
}

bool can_run(const Target& device, const Target& target) {
  if (target.suffix == 'a') return device.number == target.number;
  const bool is_family = device.number / 10 == target.number / 10;
  return device.number >= target.number && (target.suffix != 'f' || is_family);
}

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

// ptxas of the toolkit that compiles CUDA C++, or else the one on PATH; empty without either.
fs::path find_ptxas() {
  std::vector<fs::path> folders;
  try {
    // The library is in ROOT/lib, ROOT/lib64 or ROOT/targets/PLATFORM/lib.
    auto root = find_toolkit().library.parent_path();
    for (int i = 0; i < 3; ++i) {
      root = root.parent_path();
      folders.push_back(root / "bin");
    }
  } catch (const base::ToolError&) {
    // PTX needs no compiler.
  }
  std::string_view path = ::getenv("PATH") == nullptr ? "" : ::getenv("PATH");
  while (!path.empty()) {
    folders.emplace_back(path.substr(0, path.find(':')));
    path.remove_prefix(std::min(folders.back().native().size() + 1, path.size()));
  }
  for (const auto& folder : folders) {
    if (!folder.empty() && is_executable(folder / "ptxas")) return folder / "ptxas";
  }
  return {};
}

std::string read_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Assembled {
  std::string machine_code;
  std::string log;
  std::string missing;  // Why ptxas made no machine code.
  std::vector<base::Diagnostic> errors;
};

// The errors with a line in ptxas' log: "ptxas FILE, line 9; error   : ...".
std::vector<base::Diagnostic> errors_in(std::string_view log, const std::string& file) {
  std::vector<base::Diagnostic> out;
  while (!log.empty()) {
    const auto line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    const auto at = line.find(", line ");
    const auto colon = line.find(": ", at);
    const bool is_error = line.find("; error") < colon || line.find("; fatal") < colon;
    if (at == std::string_view::npos || colon == std::string_view::npos || !is_error) continue;
    std::uint32_t number = 0;
    std::from_chars(line.data() + at + 7, line.data() + line.size(), number);
    out.push_back(compile_error(file, number, 0, std::string(line.substr(colon + 2))));
  }
  return out;
}

// The log's first line that reports a failure.
std::string failure_in(std::string_view log) {
  while (!log.empty()) {
    const auto line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    const auto colon = line.find(": ");
    if (line.find("fatal") < colon) return std::string(line.substr(colon + 2));
  }
  return "it failed";
}

Assembled assemble(const std::string& text, const std::string& file, const std::string& target) {
  Assembled out;
  const auto ptxas = find_ptxas();
  if (ptxas.empty()) {
    out.missing = "ptxas is not installed; it is a part of the CUDA toolkit";
    return out;
  }
  const base::TemporaryFolder folder("ptxas");
  const auto input = folder / "kernel.ptx";
  const auto output = folder / "kernel.cubin";
  std::ofstream(input, std::ios::binary) << text;
  // ptxas reports on standard error.
  const Command command{
      "/bin/sh",
      {"-c", "exec \"$0\" \"$@\" 2>&1", ptxas.string(), "-v", "--generate-line-info", "--gpu-name",
       target, "--output-file", output.string(), input.string()}};
  const auto child = run_child(command, "", kAssemblyTime);
  out.log = child.output;
  if (child.timed_out || child.signal != 0) {
    out.missing = fmt::format("ptxas did not finish within {} s", kAssemblyTime.count());
  } else if (child.exit_code != 0) {
    out.errors = errors_in(child.output, file);
    // A file newer than ptxas is correct, but cannot be assembled here.
    const auto is_old = [](const base::Diagnostic& one) {
      return one.message.find("Unsupported .version") != std::string::npos;
    };
    const auto old = std::ranges::find_if(out.errors, is_old);
    if (old != out.errors.end() || out.errors.empty()) {
      out.missing = fmt::format("{} cannot assemble it: {}", ptxas.string(),
                                old != out.errors.end() ? old->message : failure_in(child.output));
      out.errors.clear();
    }
  } else {
    out.machine_code = read_bytes(output);
  }
  return out;
}

// Names of C++ and of Numba without the tags that make them unique: "scale[abi:v1](int)".
std::string without_tags(std::string name) {
  for (auto at = name.find("[abi:"); at != std::string::npos; at = name.find("[abi:", at)) {
    name.erase(at, name.find(']', at) - at + 1);
  }
  return name;
}

// The source that the first function with places comes from, if it can be read: its name in the
// PTX, and its text.
std::optional<std::pair<std::string, std::string>> source_of_ptx(const ptx::Module& module,
                                                                 const fs::path& file) {
  for (const auto& function : module.functions) {
    if (function.locations.size() < 2) continue;
    const auto& name = function.locations[1].file;
    if (name == file.string() || name.empty()) continue;
    try {
      return std::pair(name, read_source_bytes(file.parent_path() / name));
    } catch (const base::UsageError&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::uint32_t shared_bytes(const ptx::Function& kernel, const ptx::Module& module) {
  std::uint64_t sum = 0;
  for (const auto* all : {&kernel.variables, &module.variables}) {
    for (const auto& one : *all) {
      if (one.space != ptx::StateSpace::kShared || one.bytes == 0) continue;
      sum = (sum + one.alignment - 1) / one.alignment * one.alignment + one.bytes;
    }
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

bool is_ptx_file(const fs::path& file) { return file.extension() == ".ptx"; }

Result read_ptx_file(const fs::path& file, const std::string& architecture) {
  auto source = source_of(file, read_source_bytes(file));
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) return std::move(*wrong);
  Program program;
  program.file = file.string();
  program.source = std::move(std::get<CompileRequest>(source).source);
  program.architecture = architecture;
  const auto plain = blank_comments_and_literals(program.source);
  const std::string name(word_after(plain, ".target"));
  if (name.empty() || word_after(plain, ".version").empty()) {
    return std::vector{compile_error(program.file, 0, 0,
                                     "the file has no .version or no .target, so it is not PTX")};
  }
  const auto target = target_of(name);
  const auto device = target_of(architecture);
  if (!target || !device || !can_run(*device, *target)) {
    throw base::UsageError(fmt::format(
        "{} is PTX for {}, which a device of {} cannot run; choose another one by --device",
        base::escape_controls(program.file), base::escape_controls(name), architecture));
  }
  auto assembled = assemble(program.source, program.file,
                            target->suffix == 0 ? architecture : architecture + target->suffix);
  if (!assembled.errors.empty()) return std::move(assembled.errors);
  program.machine_code.assign(assembled.machine_code.begin(), assembled.machine_code.end());
  program.not_assembled = std::move(assembled.missing);
  program.ptx = {program.source, program.file};
  try {
    program.ptx.module();
  } catch (const base::ToolError& error) {
    // ptxas accepts the file, so the simulator does not support a part of it.
    auto unsupported = compile_error(program.file, 0, 0, error.what());
    unsupported.kind = base::DiagnosticKind::kUnsupported;
    return std::vector{std::move(unsupported)};
  }
  const auto& module = program.ptx.module();
  const auto resources = parse_ptxas_report(assembled.log);
  for (auto& entry : parse_ptx_entries(program.source)) {
    Kernel kernel{entry.name, without_tags(demangled(entry.name)), {}, std::move(entry.parameters)};
    const auto found = resources.find(entry.name);
    if (found != resources.end()) {
      kernel.resources = found->second;
    } else if (const auto* function = ptx::find_function(module, entry.name)) {
      kernel.resources.static_shared_bytes = shared_bytes(*function, module);
    }
    program.kernels.push_back(std::move(kernel));
  }
  if (auto written = source_of_ptx(module, file)) {
    std::tie(program.file, program.source) = *std::move(written);
  }
  return program;
}

}  // namespace warpgrade::compile
