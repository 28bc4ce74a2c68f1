// SPDX-License-Identifier: Apache-2.0
#include "common/compile/toolkit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::toolkit_test {

// Finds NVIDIA's compiler beside an installed program.

using testing::ElementsAre;
using testing::IsEmpty;

TEST(InstalledToolkits, AreThePackagesOfThePythonThatThePrefixHas) {
  const TemporaryFolder prefix;
  EXPECT_THAT(toolkits_beside(prefix.path() / "bin/warpgrade"), IsEmpty());
  prefix.write("lib/python3.11/site-packages/other/x", "");
  prefix.write("lib/gcc/site-packages/nvidia/x", "");
  EXPECT_THAT(toolkits_beside(prefix.path() / "bin/warpgrade"), IsEmpty());
  prefix.write("lib/python3.11/site-packages/nvidia/cu13/include/vector_types.h", "");
  const auto packages = prefix.path() / "lib/python3.11/site-packages/nvidia";
  EXPECT_THAT(toolkits_beside(prefix.path() / "bin/warpgrade"),
              ElementsAre(packages / "cu13", packages));
}

TEST(InstalledToolkits, OfDebianAreInDistPackages) {
  const TemporaryFolder prefix;
  prefix.write("lib/python3/dist-packages/nvidia/cu13/include/vector_types.h", "");
  EXPECT_EQ(prefix.path() / "lib/python3/dist-packages/nvidia/cu13",
            toolkits_beside(prefix.path() / "bin/warpgrade").at(0));
}

TEST(InstalledToolkits, OfATargetFolderAreInTheFolderItself) {
  const TemporaryFolder prefix;
  prefix.write("nvidia/cu13/include/vector_types.h", "");
  EXPECT_THAT(toolkits_beside(prefix.path() / "bin/warpgrade"),
              ElementsAre(prefix.path() / "nvidia/cu13", prefix.path() / "nvidia"));
}

// Recognises toolkit folders and chooses one.

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
    EXPECT_THAT(error.what(), HasSubstr("`pip install nvidia-cuda-nvrtc-cu12 "));
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
                HasSubstr("headers is missing in " + folder.path().string() +
                          ". `pip install warpgrade`, in the Python environment of this program, "
                          "installs them; or"));
  }
  folder.write("lib64/libnvrtc.so.13", "");
  folder.write("include/vector_types.h", "");
  EXPECT_EQ(folder.path() / "lib64/libnvrtc.so.13", find_toolkit().library);
}

TEST(Toolkit, TheWrapperThatWasCalledInstallsOne) {
  const TemporaryFolder folder;
  const ScopedVariable variable("WARPGRADE_CUDA_HOME", folder.path().string());
  const ScopedVariable call("WARPGRADE_CALL", "../warpgrade");
  try {
    find_toolkit();
    FAIL() << "found";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("`../warpgrade list` installs them"));
  }
}

// Reads the compiler's release from its library.
using testing::MatchesRegex;

std::string version_of(const std::string& library) {
  const TemporaryFolder folder;
  return toolkit_version(folder.write("library.so", library));
}

TEST(ToolkitVersion, IsTheOneThatTheCompilerWritesIntoItsPtx) {
  const auto version = toolkit_version(find_toolkit().library);
  EXPECT_THAT(version, MatchesRegex("13\\.[0-9]+\\.[0-9]+"));
  const auto program = program_of("__global__ void nothing() {}\n");
  EXPECT_THAT(program.ptx.text(), HasSubstr(", V" + version + "\n"));
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

}  // namespace warpgrade::compile::toolkit_test
