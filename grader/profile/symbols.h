// SPDX-License-Identifier: Apache-2.0
// The __constant__ and __device__ variables of a module: their list, and contents that
// `warpgrade profile --symbol NAME=SPEC` sets before a launch.
//
// SPEC is a buffer as for --arg (argument_spec.h) of exactly the variable's bytes. NAME is the
// variable's name in the source, without namespaces, or in PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "grader/profile/argument_spec.h"
#include "grader/report/profile_report.h"

namespace warpgrade::grader::profile {

struct SymbolSpec {
  std::string name;
  ArgumentSpec content;
};

/// Reads "NAME=SPEC". Throws base::UsageError.
SymbolSpec parse_symbol(std::string_view text);

/// A buffer for each spec. Throws base::UsageError if the module has no such variable, if the sizes
/// differ, if a variable is named twice, or as make_buffer() does.
std::vector<run::Buffer> symbol_buffers(const ptx::Module& module,
                                        const std::vector<SymbolSpec>& specs);

/// The variables that a symbol can name, in the order of the module.
std::vector<report::ModuleSymbol> symbols_of(const ptx::Module& module);

}  // namespace warpgrade::grader::profile
