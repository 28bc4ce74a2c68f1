// SPDX-License-Identifier: Apache-2.0
// Includes with the real compiler: a submission can read the toolkit, its own folder and the
// include folders of the course, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::include_guard_test {

using testing::HasSubstr;
using testing::Not;

// A submission's folder, `labs`, next to a file that it must not see.
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

// A submission in `labs` whose file is in `labs/sub`, and a course's include folder.
class FolderIncludes : public Includes {
 protected:
  FolderIncludes() {
    root_.write("course/include/course/context.h",
                "#include \"../shared.h\"\n#include <vector>\n"
                "inline std::vector<int> on_the_host() { return {}; }\n");
    root_.write("course/include/shared.h", "__device__ float shared_one() { return 3; }\n");
    root_.write("course/secret.h", "secret_word\n");
    std::filesystem::create_symlink("../secret.h", root_.path() / "course/include/link.h");
    std::filesystem::create_symlink("../course/secret.h", folder() / "course_link.h");
  }
  CompileRequest in_sub(const std::string& first_line) const {
    auto request = with(first_line);
    request.folder = folder() / "sub";
    request.root = folder();
    return request;
  }
  CompileRequest of_course(const std::string& first_line) const {
    auto request = in_sub(first_line);
    request.include_folders = {root_.path() / "course/include"};
    return request;
  }
  static std::string why_not(const CompileRequest& request) {
    const auto found = diagnostics_of(request);
    return found.empty() ? "" : found[0].message;
  }
};

TEST_F(FolderIncludes, ReachAllOfTheFolderAndNothingOutside) {
  EXPECT_EQ("", why_not(in_sub("#include \"next.h\"")));
  EXPECT_EQ("", why_not(in_sub("#include \"../own.h\"")));
  EXPECT_EQ("", why_not(in_sub("#include \"../sub/deep.h\"")));
  EXPECT_EQ("", why_not(in_sub("#include \"" + (folder() / "own.h").string() + "\"")));
  for (const std::string path : {"../../secret.h", "../link.h", "../up/secret.h", "own.h",
                                 "../course_link.h", "../../course/include/shared.h"}) {
    EXPECT_THAT(why_not(in_sub("#include \"" + path + "\"")), HasSubstr("nothing else")) << path;
  }
}

TEST_F(FolderIncludes, ReachTheCoursesFolders) {
  EXPECT_EQ("", why_not(of_course("#include <shared.h>")));
  EXPECT_EQ("", why_not(of_course("#include \"shared.h\"")));
  EXPECT_EQ("", why_not(of_course("#include <course/context.h>")));
  EXPECT_EQ("", why_not(of_course("#include \"../own.h\"\n#include <course/context.h>")));
  for (const std::string path :
       {"../../secret.h", "link.h", "../course_link.h", "../secret.h", "course/../../secret.h"}) {
    const auto why = why_not(of_course("#include \"" + path + "\""));
    EXPECT_THAT(why, HasSubstr("include folders of the course (include), nothing else")) << path;
    EXPECT_THAT(why, Not(HasSubstr("secret_word"))) << path;
  }
}

// An include that begins with ../ is also looked up in the course's include folders, as if they
// were above the submission.
TEST_F(FolderIncludes, FindAboveThemWhatTheCourseHas) {
  EXPECT_EQ("", why_not(of_course("#include \"../shared.h\"")));
  EXPECT_EQ("", why_not(of_course("#include \"../../shared.h\"")));
  EXPECT_EQ("", why_not(of_course("#include \"../course/context.h\"")));
  EXPECT_NE("", why_not(of_course("#include \"sub/../../shared.h\"")));
  EXPECT_NE("", why_not(in_sub("#include \"../shared.h\"")));
}

TEST_F(FolderIncludes, HostCodeOfACoursesHeaderIsLeftOutUnderItsName) {
  const auto program = program_of(of_course("#include <course/context.h>"));
  ASSERT_EQ(1U, program.left_out.size());
  EXPECT_EQ("include/course/context.h", program.left_out[0].file);
  EXPECT_EQ("on_the_host", program.left_out[0].name);
  EXPECT_EQ(3U, program.left_out[0].line);
}

TEST_F(FolderIncludes, MistakesInACoursesHeaderHaveItsName) {
  root_.write("course/include/broken.h", "\n__device__ int f() { return wrong; }\n");
  const auto found = diagnostics_of(of_course("#include <broken.h>"));
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ("include/broken.h", found[0].where.file);
  EXPECT_EQ(2U, found[0].where.line);
}

}  // namespace warpgrade::compile::include_guard_test
