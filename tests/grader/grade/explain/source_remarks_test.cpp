// SPDX-License-Identifier: Apache-2.0
// The remarks on files, with their text.
#include "grader/grade/explain/source_remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::grade::source_remarks_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SourceRemarks, ThrustIsTheHosts) {
  EXPECT_THAT(
      source_remarks("#include <thrust/sort.h>\n__global__ void copy() {}", "copy"),
      ElementsAre("thrust is called by the host, and only device code is graded: its headers and "
                  "what uses them take no part. Write the work into the kernel."));
}

TEST(SourceRemarks, AKernelInAnIncludedFileIsNamed) {
  EXPECT_THAT(source_remarks("#include \"kernel.cuh\"\n", "copy"),
              ElementsAre("This file has no kernel of its own: copy is taken from a file that it "
                          "includes."));
}

TEST(SourceRemarks, OtherFilesGetNone) {
  EXPECT_THAT(source_remarks("#include \"tile.h\"\n__global__ void copy() {}", "copy"), IsEmpty());
  EXPECT_THAT(source_remarks("// #include <thrust/sort.h>\n", "copy"), IsEmpty());
  EXPECT_THAT(source_remarks("const char* a = \"#include <thrust/sort.h>\";", "copy"), IsEmpty());
  EXPECT_THAT(source_remarks("", "copy"), IsEmpty());
}

}  // namespace warpgrade::grader::grade::source_remarks_test
