// SPDX-License-Identifier: Apache-2.0
// Which folders are a toolkit, and which one is taken.
#include "common/compile/toolkit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile {
namespace toolkit_test {

using testing::HasSubstr;

TEST(Toolkit, HasTheLibraryOfTheSeriesAndHeaders) {
  const TemporaryFolder folder;
  EXPECT_FALSE(toolkit_at(folder.path()));
  folder.write("lib64/libnvrtc.so.13", "");
  EXPECT_FALSE(toolkit_at(folder.path()));
  folder.write("include/vector_types.h", "");
  const auto toolkit = toolkit_at(folder.path());
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(folder.path() / "lib64/libnvrtc.so.13", toolkit->library);
  EXPECT_EQ(folder.path() / "include", toolkit->include_folders.at(0));
  EXPECT_EQ(folder.path() / "include/cccl", toolkit->include_folders.at(1));
}

TEST(Toolkit, OfAnotherSeriesIsNone) {
  const TemporaryFolder folder;
  folder.write("lib64/libnvrtc.so.12", "");
  folder.write("include/vector_types.h", "");
  EXPECT_FALSE(toolkit_at(folder.path()));
}

TEST(Toolkit, APythonWheelHasTheSameShape) {
  const TemporaryFolder folder;
  folder.write("lib/libnvrtc.so.13", "");
  folder.write("include/vector_types.h", "");
  EXPECT_TRUE(toolkit_at(folder.path()));
}

TEST(Toolkit, OneThatIsNamedIsTheOnlyOneLookedAt) {
  const TemporaryFolder folder;
  const ScopedVariable variable("WARPGRADE_CUDA_HOME", folder.path().string());
  try {
    find_toolkit();
    FAIL() << "found";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("headers in " + folder.path().string() + ". Run"));
  }
  folder.write("lib64/libnvrtc.so.13", "");
  folder.write("include/vector_types.h", "");
  EXPECT_EQ(folder.path() / "lib64/libnvrtc.so.13", find_toolkit().library);
}

}  // namespace toolkit_test
}  // namespace warpgrade::compile
