// SPDX-License-Identifier: Apache-2.0
// Reads the compiler's release from its library.
#include "common/compile/toolkit_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/compile/toolkit.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::toolkit_version_test {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string version_of(const std::string& library) {
  const TemporaryFolder folder;
  return toolkit_version(folder.write("library.so", library));
}

TEST(ToolkitVersion, IsTheOneThatTheCompilerWritesIntoItsPtx) {
  const auto version = toolkit_version(find_toolkit().library);
  EXPECT_THAT(version, MatchesRegex("13\\.[0-9]+\\.[0-9]+"));
  const auto program = program_of("__global__ void nothing() {}\n");
  EXPECT_THAT(program.ptx, HasSubstr(", V" + version + "\n"));
}

TEST(ToolkitVersion, IsReadAmongOtherBytes) {
  const std::string null(1, '\0');
  EXPECT_EQ("13.1.7", version_of("\x7f" + null + "Cuda compilation tools, release 13.1, V13.1.7" +
                                 null + "9.9"));
}

TEST(ToolkitVersion, IsEmptyWhereThereIsNone) {
  EXPECT_EQ("", version_of(""));
  EXPECT_EQ("", version_of("Cuda compilation tools, release 13.1"));
  EXPECT_EQ("", version_of("Cuda compilation tools, release 13.1, X"));
  EXPECT_EQ("", toolkit_version("/nonexistent/libnvrtc.so.13"));
  EXPECT_EQ("", toolkit_version(TemporaryFolder().path()));
}

}  // namespace warpgrade::compile::toolkit_version_test
