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
#include "grader/cases/student_terms.h"
#include "grader/grade/execute/distinct_diagnostics.h"

namespace warpgrade::grader::grade {
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
      auto name = course::kernel_name(step.kernel, item.variables);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return source;
}

// Name, size and place of each field: "out (8 at 0), n (4 at 8)".
std::string fields_text(const course::StructParameter& structure) {
  const auto layout = layout_of(structure);
  std::string out;
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    const auto& field = structure.fields[i];
    out += fmt::format("{}{} ({} at {})", out.empty() ? "" : ", ",
                       course::parameter_name(field).substr(structure.name.size() + 1),
                       field_bytes(field), layout.offsets[i]);
  }
  return out;
}

// Names the struct of the kernel whose size differs from the exercise's; the signature has only its
// name.
std::optional<base::Diagnostic> wrong_struct(const course::KernelExercise& exercise,
                                             const course::Step& step,
                                             const compile::Program& program,
                                             const compile::Kernel& kernel) {
  const auto struct_at = [&](std::size_t which) {
    return std::get_if<course::StructParameter>(&exercise.parameters[which]);
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

// Finds the kernels of `place` in `program`; returns what is wrong with one.
std::optional<base::Diagnostic> find_kernels(const course::KernelExercise& exercise,
                                             const compile::Program& program, Place& place) {
  place.program = &program;
  for (const auto& step : exercise.steps) {
    const auto found = compile::find_kernel(
        program, course::kernel_name(step.kernel, place.item->variables), step.signature);
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) return *wrong;
    const auto* kernel = std::get<const compile::Kernel*>(found);
    if (auto wrong = wrong_struct(exercise, step, program, *kernel)) return wrong;
    place.kernels.push_back(kernel);
  }
  return std::nullopt;
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

// Compiles for `target` and adds its places to `out`, or what is wrong.
void compile_on(const Plan& plan, const Target& target, const compile::CompileRequest& request,
                Compiled& out) {
  const auto& result = plan.services.compilations->get(request);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result)) {
    add_distinct(out.diagnostics, *wrong);
    return;
  }
  const auto& program = std::get<compile::Program>(result);
  // The same for all targets, unless the file depends on its architecture.
  if (out.left_out.empty()) out.left_out = compile::describe(program.left_out, program.file);
  for (const auto& planned : plan.places) {
    if (planned.target != &target) continue;
    auto place = planned;
    if (auto wrong = find_kernels(plan.kernel(), program, place)) {
      add_distinct(out.diagnostics, {*std::move(wrong)});
      return;
    }
    (place.item->measured ? out.measured : out.small).push_back(std::move(place));
  }
}

}  // namespace

void begin_compilations(const Plan& plan) {
  const auto* source = std::get_if<compile::CompileRequest>(&plan.task.submission.content);
  if (source == nullptr) return;
  auto request = request_for(plan.task, *source);
  for (const auto& target : plan.targets) {
    request.architecture = target.profile().architecture;
    plan.services.compilations->begin(request);
  }
}

Compiled compile_submission(const Plan& plan) {
  const auto& content = plan.task.submission.content;
  if (const auto* unread = std::get_if<cases::Unreadable>(&content)) return in_trouble(unread->why);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&content)) {
    return not_compiled(*wrong);
  }
  const auto& source = std::get<compile::CompileRequest>(content);
  auto request = request_for(plan.task, source);
  Compiled out;
  try {
    for (const auto& target : plan.targets) {
      request.architecture = target.profile().architecture;
      compile_on(plan, target, request, out);
    }
  } catch (const base::ToolError& error) {  // of this submission; others may succeed
    return in_trouble(error.what());
  }
  if (out.diagnostics.empty()) return out;
  out = not_compiled(out.diagnostics);
  for (auto& diagnostic : out.diagnostics) {
    point_at_array(diagnostic, cases::declared_arrays(source.source));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
