// SPDX-License-Identifier: Apache-2.0
// The compiler options that users may pass, each in its one normal form.
#include "common/compile/compiler_options.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::compiler_options_test {

TEST(CompilerOptions, HaveOneFormEach) {
  EXPECT_EQ("--use_fast_math", permitted_option("-use_fast_math"));
  EXPECT_EQ("--maxrregcount=32", permitted_option("-maxrregcount=32"));
  EXPECT_EQ("-DN=4", permitted_option("--define-macro=N=4"));
  EXPECT_EQ("-UN", permitted_option("--undefine-macro=N"));
  EXPECT_EQ("--device-as-default-execution-space", permitted_option("-default-device"));
}

TEST(CompilerOptions, OlderStandardsAreCompiledAsCpp17) {
  EXPECT_EQ("-std=c++17", permitted_option("--std=c++11"));
  EXPECT_EQ("-std=c++20", permitted_option("-std=c++20"));
  EXPECT_EQ(std::nullopt, permitted_option("-std=c++98"));
}

TEST(CompilerOptions, OthersAreRefused) {
  for (const auto* option : {"-arch=sm_90", "--gpu-architecture=compute_90", "-I/tmp", "-O3", "-D",
                             "--pre-include=x.h", "--maxrregcount=", "-G", "--dlto", ""}) {
    EXPECT_EQ(std::nullopt, permitted_option(option)) << option;
  }
}

}  // namespace warpgrade::compile::compiler_options_test
