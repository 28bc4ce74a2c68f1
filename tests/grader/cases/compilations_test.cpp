// SPDX-License-Identifier: Apache-2.0
// The pool of compilations: each file compiles once, and errors reach the caller.
#include "grader/cases/compilations.h"

#include <gtest/gtest.h>

#include <atomic>

#include "common/base/error.h"

namespace warpgrade::grader::cases::compilations_test {

compile::CompileRequest request(const std::string& file, const std::string& architecture) {
  compile::CompileRequest out;
  out.file = file;
  out.architecture = architecture;
  return out;
}

TEST(Compilations, EachFileIsCompiledOncePerArchitecture) {
  std::atomic<int> count = 0;
  Compilations compilations(
      [&](const compile::CompileRequest& asked) -> compile::Result {
        ++count;
        compile::Program program;
        program.architecture = asked.architecture;
        return program;
      },
      2);
  for (int i = 0; i < 3; ++i) {
    compilations.begin(request("a.cu", "sm_75"));
    compilations.begin(request("a.cu", "sm_90"));
  }
  const auto architecture_of = [&](const std::string& architecture) {
    return std::get<compile::Program>(compilations.get(request("a.cu", architecture))).architecture;
  };
  EXPECT_EQ("sm_75", architecture_of("sm_75"));
  EXPECT_EQ("sm_90", architecture_of("sm_90"));
  EXPECT_EQ(2, count);
}

// The same text in another place may include other files.
TEST(Compilations, AFileIsCompiledAgainForOtherFolders) {
  std::atomic<int> count = 0;
  Compilations compilations(
      [&](const compile::CompileRequest&) -> compile::Result {
        ++count;
        return compile::Program();
      },
      1);
  auto asked = request("a.cu", "sm_90");
  compilations.get(asked);
  asked.root = "/ada";
  compilations.get(asked);
  asked.include_folders = {"/course"};
  compilations.get(asked);
  compilations.get(asked);
  EXPECT_EQ(3, count);
}

TEST(Compilations, WhatTheCompilerThrowsReachesWhoeverAsks) {
  Compilations compilations(
      [](const compile::CompileRequest&) -> compile::Result {
        throw base::ToolError("no compiler");
      },
      1);
  compilations.begin(request("a.cu", "sm_90"));
  EXPECT_THROW(compilations.get(request("a.cu", "sm_90")), base::ToolError);
}

TEST(Compilations, WhatNobodyAsksForIsDroppedAtTheEnd) {
  std::atomic<int> count = 0;
  {
    Compilations compilations(
        [&](const compile::CompileRequest&) -> compile::Result {
          ++count;
          return compile::Program{};
        },
        1);
    for (int i = 0; i < 100; ++i) compilations.begin(request(std::to_string(i), "sm_90"));
  }
  EXPECT_LE(count, 100);
}

}  // namespace warpgrade::grader::cases::compilations_test
