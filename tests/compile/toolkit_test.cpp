// SPDX-License-Identifier: Apache-2.0
// Recognises toolkit folders and chooses one.
#include "common/compile/toolkit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::toolkit_test {

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
  folder.write("lib64/libnvrtc.so.11", "");
  folder.write("lib64/libnvrtc.so.14", "");
  folder.write("include/vector_types.h", "");
  EXPECT_FALSE(toolkit_at(folder.path()));
}

TEST(Toolkit, TheNewerSeriesIsTakenUpToWhatIsAllowed) {
  const TemporaryFolder folder;
  folder.write("lib64/libnvrtc.so.12", "");
  folder.write("include/vector_types.h", "");
  EXPECT_EQ(12U, toolkit_at(folder.path())->series);
  folder.write("lib64/libnvrtc.so.13", "");
  EXPECT_EQ(13U, toolkit_at(folder.path())->series);
  EXPECT_EQ(folder.path() / "lib64/libnvrtc.so.12", toolkit_at(folder.path(), 12)->library);
}

// nvidia-cuda-nvrtc-cu12 and the other wheels unpack to site-packages/nvidia.
TEST(Toolkit, PythonWheelsOf12AreOneToolkit) {
  const TemporaryFolder folder;
  folder.write("cuda_nvrtc/lib/libnvrtc.so.12", "");
  EXPECT_FALSE(toolkit_at(folder.path()));
  folder.write("cuda_runtime/include/vector_types.h", "");
  const auto toolkit = toolkit_at(folder.path());
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(12U, toolkit->series);
  EXPECT_EQ(folder.path() / "cuda_nvrtc/lib/libnvrtc.so.12", toolkit->library);
  EXPECT_THAT(toolkit->include_folders, testing::ElementsAre(folder.path() / "cuda_runtime/include",
                                                             folder.path() / "cuda_nvcc/include",
                                                             folder.path() / "cuda_cccl/include",
                                                             folder.path() / "curand/include"));
}

TEST(Toolkit, ADriverThatLoads12OnlyIsGiven12OrToldWhatLacks) {
  const TemporaryFolder folder;
  folder.write("lib64/libnvrtc.so.13", "");
  folder.write("include/vector_types.h", "");
  const ScopedVariable variable("WARPGRADE_CUDA_HOME", folder.path().string());
  limit_toolkit(12, "the driver of Tesla T4 loads CUDA 12.4's code at most");
  try {
    find_toolkit();
    ADD_FAILURE() << "found";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the driver of Tesla T4 loads CUDA 12.4's code at most, "
                                        "and libnvrtc.so.12 with its headers is missing"));
    EXPECT_THAT(error.what(), HasSubstr("WARPGRADE_CUDA=12 ./warpgrade installs it"));
  }
  folder.write("lib64/libnvrtc.so.12", "");
  EXPECT_EQ(12U, find_toolkit().series);
  limit_toolkit(kNewestSeries, "");
  EXPECT_EQ(13U, find_toolkit().series);
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
    EXPECT_THAT(error.what(),
                HasSubstr("headers is missing in " + folder.path().string() + ". Run"));
  }
  folder.write("lib64/libnvrtc.so.13", "");
  folder.write("include/vector_types.h", "");
  EXPECT_EQ(folder.path() / "lib64/libnvrtc.so.13", find_toolkit().library);
}

}  // namespace warpgrade::compile::toolkit_test
