// SPDX-License-Identifier: Apache-2.0
// The compiler process of the tests gives the answers of the program's own process, whatever it
// kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::kept_compiler_test {

using testing::HasSubstr;

class KeptCompiler : public testing::Test {
 protected:
  std::string ptx_of(const std::string& include) const {
    auto request = request_for(
        include + "\nextern \"C\" __global__ void k(int* o) { *o = VALUE; }\n", folder_.path());
    request.architecture = "compute_90";
    const auto result = compile(request);
    const auto* program = std::get_if<Program>(&result);
    return program != nullptr ? program->ptx.text() : "refused";
  }

  TemporaryFolder folder_;
  ScopedVariable compiler_{"WARPGRADE_COMPILER", WARPGRADE_KEPT_COMPILER};
};

TEST_F(KeptCompiler, AnswersAsTheProcessOfTheProgram) {
  const auto* const source =
      "#include <cuda/std/limits>\n#define VALUE cuda::std::numeric_limits<int>::max()";
  const auto first = ptx_of(source);
  EXPECT_EQ(first, ptx_of(source));
  const ScopedVariable own("WARPGRADE_COMPILER", WARPGRADE_OWN_COMPILER);
  EXPECT_EQ(first, ptx_of(source));
}

TEST_F(KeptCompiler, NamesTheFilesOfEachFolder) {
  const TemporaryFolder other;
  const TemporaryFolder& first = folder_;
  for (const auto* folder : {&first, &other, &first}) {
    folder->write("value.h", "__device__ int value() { return wrong; }\n");
    const auto found = diagnostics_of(request_for("#include \"value.h\"\n", folder->path()));
    ASSERT_EQ(1U, found.size());
    EXPECT_EQ("value.h", found[0].where.file);
  }
}

TEST_F(KeptCompiler, CompilesAgainOnceAHeaderIsAnotherOne) {
  folder_.write("value.h", "#define VALUE 4711\n");
  EXPECT_THAT(ptx_of("#include \"value.h\""), HasSubstr("4711"));
  EXPECT_THAT(ptx_of("#include \"value.h\""), HasSubstr("4711"));
  folder_.write("value.h", "#define VALUE 4712\n");
  EXPECT_THAT(ptx_of("#include \"value.h\""), HasSubstr("4712"));
}

TEST_F(KeptCompiler, CompilesAgainOnceAMissingHeaderIsThere) {
  EXPECT_EQ("refused", ptx_of("#include \"value.h\""));
  folder_.write("value.h", "#define VALUE 4711\n");
  EXPECT_THAT(ptx_of("#include \"value.h\""), HasSubstr("4711"));
}

TEST_F(KeptCompiler, FindsAHeaderThatHidesOneOfTheToolkit) {
  const auto* const source =
      "#include <cuda/std/limits>\n#ifndef VALUE\n#define VALUE 4711\n#endif";
  EXPECT_THAT(ptx_of(source), HasSubstr("4711"));
  folder_.write("cuda/std/limits", "#define VALUE 4712\n");
  EXPECT_THAT(ptx_of(source), HasSubstr("4712"));
}

}  // namespace warpgrade::compile::kept_compiler_test
