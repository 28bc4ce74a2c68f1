// SPDX-License-Identifier: Apache-2.0
// Prints the PTX of a submission and the names of the code left out of it. Used by run.py.
//
//   ptx_of FILE.cu ARCHITECTURE DEVICE.cu [NAME-EXPRESSION...]
//
// DEVICE.cu receives the text that was compiled: FILE.cu without its host code. Standard output is
// the PTX. Standard error lists the names of the code left out, or the diagnostics. The exit code
// is 0 if the file compiles, else 1.
#include <fstream>
#include <iostream>
#include <string>
#include <variant>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"

namespace {

using namespace warpgrade;

int refuse(const std::vector<base::Diagnostic>& diagnostics, const std::string& source) {
  for (const auto& diagnostic : diagnostics) std::cerr << base::render(diagnostic, source);
  return 1;
}

int print_ptx(int count, char** words) {
  auto read = compile::read_source(words[1]);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&read)) {
    return refuse(*wrong, "");
  }
  auto request = std::get<compile::CompileRequest>(std::move(read));
  request.architecture = words[2];
  request.instantiations.assign(words + 4, words + count);
  const auto result = compile::compile(request);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result)) {
    return refuse(*wrong, request.source);
  }
  const auto& program = std::get<compile::Program>(result);
  const bool is_whole = program.device_source.empty();
  std::ofstream(words[3]) << (is_whole ? request.source : program.device_source);
  std::cout << program.ptx.text();
  for (const auto& item : program.left_out) std::cerr << "left out: " << item.name << '\n';
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::cerr << "usage: ptx_of FILE.cu ARCHITECTURE DEVICE.cu [NAME-EXPRESSION...]\n";
    return 2;
  }
  try {
    return print_ptx(count, words);
  } catch (const base::ToolError& error) {
    std::cerr << error.what() << '\n';
    return 3;
  } catch (const base::UsageError& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
