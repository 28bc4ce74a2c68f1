// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "common/base/error.h"
#include "common/compile/compile_error.h"
#include "common/compile/ptx_entries.h"
#include "grader/cases/case_launch.h"
#include "grader/cases/input_salt.h"
#include "grader/cases/student_terms.h"
#include "grader/grade/execute/distinct_diagnostics.h"

namespace warpgrade::grader {
namespace {

// The request for the source with the template instances that the cases need; its architecture is
// not set yet.
compile::CompileRequest request_for(const GradingTask& task, compile::CompileRequest source) {
  const auto& exercise = task.kernel();
  source.include_folders = task.lab->include_folders;
  auto& names = source.instantiations;
  for (const auto& step : exercise.steps) {
    if (step.kernel.find('<') == std::string::npos) continue;
    for (const auto& item : exercise.cases) {
      auto name = kernel_name(step.kernel, item.variables);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return source;
}

// Name, size and place of each field: "out (8 at 0), n (4 at 8)".
std::string fields_text(const StructParameter& structure) {
  const auto layout = layout_of(structure);
  std::string out;
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    const auto& field = structure.fields[i];
    out += fmt::format("{}{} ({} at {})", out.empty() ? "" : ", ",
                       parameter_name(field).substr(structure.name.size() + 1), field_bytes(field),
                       layout.offsets[i]);
  }
  return out;
}

// Names the struct of the kernel whose size differs from the exercise's; the signature has only its
// name.
std::optional<base::Diagnostic> wrong_struct(const KernelExercise& exercise, const Step& step,
                                             const compile::Program& program,
                                             const compile::Kernel& kernel) {
  const auto struct_at = [&](std::size_t which) {
    return std::get_if<StructParameter>(&exercise.parameters[which]);
  };
  if (std::ranges::none_of(step.arguments, struct_at)) return std::nullopt;
  for (const auto& entry : compile::parse_ptx_entries(program.ptx)) {
    if (entry.name != kernel.name) continue;
    const auto count = std::min(entry.parameters.size(), step.arguments.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto* expected = struct_at(step.arguments[i]);
      if (expected == nullptr) continue;
      const auto bytes = layout_of(*expected).bytes;
      if (entry.parameters[i].size_bytes == bytes) continue;
      return compile::compile_error(
          program.file, 0, 0,
          fmt::format("the kernel '{}' has the wrong parameter list: the struct '{}' has {} bytes, "
                      "but must have {} (size and place of each field: {}); expected: {}",
                      kernel.signature, expected->name, entry.parameters[i].size_bytes, bytes,
                      fields_text(*expected), step.signature));
    }
  }
  return std::nullopt;
}

// The places of all cases on `target`, or the first diagnostic.
std::variant<std::vector<Place>, base::Diagnostic> find_kernels(const KernelExercise& exercise,
                                                                const Target& target,
                                                                const compile::Program& program) {
  std::vector<Place> out;
  for (const auto& item : exercise.cases) {
    auto& place = out.emplace_back(Place{&target, &item, &program});
    for (const auto& step : exercise.steps) {
      const auto found =
          compile::find_kernel(program, kernel_name(step.kernel, item.variables), step.signature);
      if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) return *wrong;
      const auto* kernel = std::get<const compile::Kernel*>(found);
      if (auto wrong = wrong_struct(exercise, step, program, *kernel)) return *std::move(wrong);
      place.kernels.push_back(kernel);
    }
  }
  return out;
}

Compiled not_compiled(const std::vector<base::Diagnostic>& diagnostics) {
  Compiled out;
  add_distinct(out.diagnostics, diagnostics);
  return out;
}

Compiled in_trouble(std::string why) {
  Compiled out;
  out.trouble = std::move(why);
  return out;
}

Compiled compile_source(const KernelExercise& exercise, compile::CompileRequest request,
                        const std::vector<Target>& targets, Compilations& compilations) {
  Compiled out;
  std::vector<const compile::Program*> programs;
  for (const auto& target : targets) {
    request.architecture = target.profile().architecture;
    const auto& result = compilations.get(request);
    if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result)) {
      add_distinct(out.diagnostics, *wrong);
      continue;
    }
    programs.push_back(&std::get<compile::Program>(result));
    const auto found = find_kernels(exercise, target, *programs.back());
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) {
      add_distinct(out.diagnostics, {*wrong});
      continue;
    }
    for (const auto& place : std::get<std::vector<Place>>(found)) {
      if (place.item->sampled && target.is_gpu()) continue;
      (place.item->measured ? out.measured : out.small).push_back(place);
    }
  }
  if (!out.diagnostics.empty()) return not_compiled(out.diagnostics);
  out.salt = input_salt(request.source);
  const auto draw = static_cast<std::uint32_t>(out.salt % Case::kDraws);
  for (auto* places : {&out.small, &out.measured}) {
    for (auto& place : *places) {
      place.speed_variables = card_variables(*place.item, draw, place.target->fit);
    }
  }
  // The same for all targets, unless the file depends on its architecture.
  for (const auto* program : programs) {
    if (out.left_out.empty()) out.left_out = compile::describe(program->left_out, program->file);
  }
  return out;
}

}  // namespace

void begin_compilations(const GradingTask& task, const std::vector<Target>& targets,
                        Compilations& compilations) {
  const auto* source = std::get_if<compile::CompileRequest>(&task.submission.content);
  if (source == nullptr) return;
  auto request = request_for(task, *source);
  for (const auto& target : targets) {
    request.architecture = target.profile().architecture;
    compilations.begin(request);
  }
}

Compiled compile_submission(const GradingTask& task, const std::vector<Target>& targets,
                            Compilations& compilations) {
  const auto& content = task.submission.content;
  if (const auto* unread = std::get_if<Unreadable>(&content)) return in_trouble(unread->why);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&content)) {
    return not_compiled(*wrong);
  }
  const auto& exercise = task.kernel();
  auto request = request_for(task, std::get<compile::CompileRequest>(content));
  const auto source = request.source;
  try {
    auto out = compile_source(exercise, std::move(request), targets, compilations);
    for (auto& diagnostic : out.diagnostics) point_at_array(diagnostic, declared_arrays(source));
    return out;
  } catch (const base::ToolError& error) {  // of this submission; the others may do better
    return in_trouble(error.what());
  }
}

}  // namespace warpgrade::grader
