// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/program_edits.h"

#include <utility>

#include "grader/grade/explain/edits/changes.h"

namespace warpgrade::grader::grade {

ptx::Module edited(const ptx::Module& module, const Edit& edit) {
  auto out = module;
  for (auto site = edit.sites.rbegin(); site != edit.sites.rend(); ++site) {
    auto& function = out.functions[site->function];
    edit.change(function, site->instruction);
    function.analyses = {};
  }
  return out;
}

ptx::Module with_barrier(const ptx::Module& module, const Edit::Site& before) {
  using namespace program_edits;
  auto out = module;
  auto& function = out.functions[before.function];
  Instruction barrier;
  barrier.opcode = Opcode::bar;
  barrier.modifiers.add(Modifier::sync);
  barrier.operands = {integer(0)};
  barrier.location = function.instructions[before.instruction].location;
  barrier.ptx_line = function.instructions[before.instruction].ptx_line;
  insert(function, before.instruction, barrier, true);
  function.analyses = {};
  return out;
}

}  // namespace warpgrade::grader::grade
