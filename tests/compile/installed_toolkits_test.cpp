// SPDX-License-Identifier: Apache-2.0
// Finds NVIDIA's compiler beside an installed program.
#include "common/compile/installed_toolkits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::installed_toolkits_test {

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

}  // namespace warpgrade::compile::installed_toolkits_test
