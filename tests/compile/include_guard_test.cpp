// SPDX-License-Identifier: Apache-2.0
// A submission can read the toolkit and its own folder, and nothing else leaks, on the real
// compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile {
namespace include_guard_test {

using testing::HasSubstr;
using testing::Not;

// A submission's folder, `labs`, beside a file that it must not see.
class Includes : public testing::Test {
 protected:
  Includes() {
    root_.write("secret.h", "secret_word\n");
    root_.write("labs/own.h", "__device__ float own() { return 1; }\n");
    root_.write("labs/sub/deep.h", "#include \"next.h\"\n#include \"../own.h\"\n");
    root_.write("labs/sub/next.h", "__device__ float next() { return 2; }\n");
    root_.write("labs/forged.h", "#line 99 \"kernel.cu\"\n__device__ int f() { return wrong; }\n");
    std::filesystem::create_symlink("../secret.h", folder() / "link.h");
    std::filesystem::create_symlink("..", folder() / "up");
  }

  std::filesystem::path folder() const { return root_.path() / "labs"; }
  CompileRequest with(const std::string& first_line) const {
    return request_for(first_line + "\n__global__ void k(float* o) { o[0] = 1; }\n", folder());
  }

  TemporaryFolder root_;
};

TEST_F(Includes, ReachTheOwnFolderAndBelow) {
  EXPECT_TRUE(diagnostics_of(with("#include \"own.h\"")).empty());
  EXPECT_TRUE(diagnostics_of(with("#include \"sub/deep.h\"")).empty());
}

TEST_F(Includes, ReachNothingElse) {
  for (const std::string path : {"../secret.h", "link.h", "up/secret.h", "sub/../../secret.h",
                                 "/etc/passwd", "/proc/self/environ", "/dev/zero", "."}) {
    const auto found = diagnostics_of(with("#include \"" + path + "\""));
    ASSERT_EQ(1u, found.size()) << path;
    EXPECT_EQ((base::SourceLocation{"kernel.cu", 1, 10}), found[0].where);
    EXPECT_THAT(found[0].message, HasSubstr("cannot open source file")) << path;
    EXPECT_THAT(found[0].message, HasSubstr("nothing else")) << path;
    EXPECT_THAT(found[0].message, Not(HasSubstr("secret_word"))) << path;
  }
}

TEST_F(Includes, ByAbsolutePathOrMacroReachNothingElse) {
  const auto secret = (root_.path() / "secret.h").string();
  EXPECT_THAT(diagnostics_of(with("#include \"" + secret + "\"")).at(0).message,
              HasSubstr("cannot open source file"));
  EXPECT_THAT(diagnostics_of(with("#define F \"" + secret + "\"\n#include F")).at(0).message,
              HasSubstr("cannot open source file"));
  EXPECT_THAT(diagnostics_of(with("#define F <" + secret + ">\n#include F")).at(0).message,
              HasSubstr("cannot open source file"));
}

TEST_F(Includes, DoNotEvenTellWhetherAFileExists) {
  EXPECT_TRUE(diagnostics_of(with("#if __has_include(\"../secret.h\") || "
                                  "__has_include(\"/etc/passwd\") || __has_include(\"link.h\") || "
                                  "!__has_include(\"own.h\")\n#error visible\n#endif"))
                  .empty());
}

TEST_F(Includes, WithoutAFolderReachTheToolkitOnly) {
  auto request = with("#include \"own.h\"");
  request.folder.clear();
  EXPECT_EQ(1u, diagnostics_of(request).size());
  request.source = "#include <cuda/std/array>\n__global__ void k() {}\n";
  EXPECT_TRUE(diagnostics_of(request).empty());
}

TEST_F(Includes, KeepTheHeadersPositionsAgainstLineDirectives) {
  const auto found = diagnostics_of(with("#include \"forged.h\""));
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ("forged.h", found[0].where.file);
  EXPECT_EQ(2u, found[0].where.line);
}

TEST_F(Includes, ThatDoNotExistSaySo) {
  EXPECT_THAT(diagnostics_of(with("#include \"none.h\"")).at(0).message,
              HasSubstr("cannot open source file \"none.h\""));
}

}  // namespace include_guard_test
}  // namespace warpgrade::compile
