// SPDX-License-Identifier: Apache-2.0
// Parses and decodes NVRTC's output for CUDA's device functions. The functions that the simulator
// cannot execute must be those in sweep/unsupported_*.txt.
//
// sweep/functions.txt lists the device functions of the toolkit's headers, each with the oldest
// architecture that has it. The test makes a kernel for each function that calls it. sweep/*.cu has
// features that need more than a call. If WARPGRADE_ACCEPT is set, the test writes the lists
// instead; review the difference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "common/compile/nvrtc_api.h"
#include "common/compile/toolkit.h"
#include "common/ptx/module.h"
#include "common/sim/decode/decoder.h"

namespace warpgrade::ptx_test::sweep_test {

const std::filesystem::path kFolder = std::filesystem::path(WARPGRADE_PTX_TESTS) / "sweep";
constexpr std::size_t kArgumentBytes = 64;  // larger than any argument

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string compile_to_ptx(const std::string& source, int architecture) {
  static const auto toolkit = compile::find_toolkit();
  static const auto nvrtc = compile::load_nvrtc(toolkit.library.string());
  std::vector<std::string> options = {"-std=c++17", fmt::format("-arch=compute_{}", architecture)};
  for (const auto& folder : toolkit.include_folders) options.push_back("-I" + folder.string());
  std::vector<const char*> pointers;
  for (const auto& option : options) pointers.push_back(option.c_str());

  compile::NvrtcProgram program = nullptr;
  WARPGRADE_NVRTC(nvrtc, CreateProgram, &program, source.c_str(), "sweep.cu", 0, nullptr, nullptr);
  const auto result =
      nvrtc.CompileProgram(program, static_cast<int>(pointers.size()), pointers.data());
  std::size_t size = 0;
  WARPGRADE_NVRTC(nvrtc, GetProgramLogSize, program, &size);
  std::string text(size, '\0');
  WARPGRADE_NVRTC(nvrtc, GetProgramLog, program, text.data());
  if (result != 0) {
    ADD_FAILURE() << text.substr(0, 2000);
    return {};
  }
  WARPGRADE_NVRTC(nvrtc, GetPTXSize, program, &size);
  text.assign(size, '\0');
  WARPGRADE_NVRTC(nvrtc, GetPTX, program, text.data());
  text.resize(size - 1);  // without the terminating null
  return text;
}

run::Launch launch_of(const ptx::Function& kernel, std::vector<run::Buffer>& buffers) {
  buffers.resize(1);
  buffers[0].bytes.resize(4096);
  run::Launch launch;
  launch.kernel = kernel.name;
  launch.arguments.assign(kernel.parameters.size(), run::BufferArgument{0});
  return launch;
}

// The unsupported kernels as lines "compute_90 NAME: REASON". `name_of` makes NAME from the
// kernel's name.
template <typename NameOf>
std::vector<std::string> unsupported(const std::string& ptx, int architecture,
                                     const NameOf& name_of) {
  static const std::regex kLine("^PTX line [0-9]+: ");
  const auto module = ptx::parse(ptx, "sweep.cu");
  std::vector<std::string> lines;
  for (const auto& function : module.functions) {
    if (!function.is_entry) continue;
    const auto kernel = ptx::link(module, function);
    std::vector<run::Buffer> buffers;
    const auto launch = launch_of(kernel, buffers);
    const sim::AddressSpace memory(module, kernel, launch, buffers);
    const auto decoded = sim::decode(module, kernel, memory);
    const auto* refused = std::get_if<std::vector<base::Diagnostic>>(&decoded);
    std::vector<base::Diagnostic> all;
    if (refused != nullptr) {
      all = *refused;
    } else {
      const auto& list = std::get<sim::Code>(decoded).refused;
      all.assign(list.begin(), list.end());
    }
    std::set<std::string> reasons;
    for (const auto& one : all) reasons.insert(std::regex_replace(one.message, kLine, ""));
    for (const auto& reason : reasons) {
      lines.push_back(
          fmt::format("compute_{} {}: {}", architecture, name_of(function.name), reason));
    }
  }
  return lines;
}

// A kernel `f<number>` that calls the function with this declaration, such as "float
// norm3df(float,float,float)".
std::string calling_kernel(std::size_t number, const std::string& declaration) {
  const auto open = declaration.find('(');
  const auto space = declaration.rfind(' ', open);
  const auto result = declaration.substr(0, space);
  std::string call = declaration.substr(space + 1, open - space - 1) + "(";
  std::istringstream types(declaration.substr(open + 1, declaration.size() - open - 2));
  std::size_t offset = 0;
  for (std::string type; std::getline(types, type, ',');) {
    if (offset != 0) call += ", ";
    call += type.ends_with('*') ? fmt::format("({})(in + {})", type, offset)
                                : fmt::format("*({}*)(in + {})", type, offset);
    offset += kArgumentBytes;
  }
  call += ");";
  const auto store = result == "void" ? "" : fmt::format("*({}*)out = ", result);
  return fmt::format("extern \"C\" __global__ void f{}(char* out, char* in) {{ {}{} }}\n", number,
                     store, call);
}

std::vector<std::string> declarations(int architecture) {
  std::vector<std::string> result;
  std::ifstream file(kFolder / "functions.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const auto space = line.find(' ');
    if (std::stoi(line.substr(0, space)) <= architecture) result.push_back(line.substr(space + 1));
  }
  return result;
}

// Compares `lines` with the list of this part, or writes the list if WARPGRADE_ACCEPT is set.
void expect_listed(const std::string& part, const std::vector<std::string>& lines) {
  const auto path = kFolder / ("unsupported_" + part + ".txt");
  std::string actual;
  for (const auto& line : lines) actual += line + "\n";
  if (std::getenv("WARPGRADE_ACCEPT") != nullptr) {
    std::ofstream(path) << actual;
    return;
  }
  EXPECT_EQ(contents(path), actual)
      << "what the simulator cannot execute has changed; if that is right, run this test with "
         "WARPGRADE_ACCEPT=1";
}

TEST(Sweep, FunctionsOfTheToolkitsHeaders) {
  std::vector<std::string> lines;
  for (const auto architecture : {75, 90}) {
    const auto functions = declarations(architecture);
    EXPECT_LT(1500U, functions.size());
    std::string source =
        "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_fp8.h>\n"
        "#include <cuda_pipeline_primitives.h>\n";
    for (std::size_t i = 0; i < functions.size(); ++i) source += calling_kernel(i, functions[i]);
    const auto found = unsupported(
        compile_to_ptx(source, architecture), architecture,
        [&](const std::string& kernel) { return functions[std::stoul(kernel.substr(1))]; });
    lines.insert(lines.end(), found.begin(), found.end());
  }
  expect_listed("functions", lines);
}

TEST(Sweep, WhatTakesMoreThanACall) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> lines;
  for (const auto& file : files) {
    for (const auto architecture : {75, 90}) {
      const auto found = unsupported(compile_to_ptx(contents(file), architecture), architecture,
                                     [&](const std::string& kernel) {
                                       return fmt::format("{} {}", file.stem().string(), kernel);
                                     });
      lines.insert(lines.end(), found.begin(), found.end());
    }
  }
  expect_listed("features", lines);
}

}  // namespace warpgrade::ptx_test::sweep_test
