// SPDX-License-Identifier: Apache-2.0
#include "common/compile/own_program.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>
#include <variant>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"

namespace warpgrade::compile {

const Program& own_program(const std::string& what, const std::string& file, const char* source,
                           const std::string& architecture) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, Program> programs;
  const std::lock_guard lock(mutex);
  const auto found = programs.find({file, architecture});
  if (found != programs.end()) return found->second;
  CompileRequest request;
  request.file = file;
  request.source = source;
  request.architecture = architecture;
  auto result = compile_own(request);
  if (const auto* errors = std::get_if<std::vector<base::Diagnostic>>(&result)) {
    throw base::ToolError(fmt::format("{} does not compile for {}: {}", what, architecture,
                                      base::text(errors->front())));
  }
  return programs.emplace(std::pair(file, architecture), std::get<Program>(std::move(result)))
      .first->second;
}

}  // namespace warpgrade::compile
