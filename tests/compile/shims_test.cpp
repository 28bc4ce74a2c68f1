// SPDX-License-Identifier: Apache-2.0
// Headers in memory: each name is unique, and no header refers to one of the host.
// compiler_test.cpp tests their declarations with the compiler.
#include "common/compile/shims.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "common/compile/prelude.h"

namespace warpgrade::compile::shims_test {

TEST(Shims, EachNameStandsOnceAndThePreludeIsOneOfThem) {
  std::set<std::string> names;
  for (const auto& shim : shims()) EXPECT_TRUE(names.insert(shim.name).second) << shim.name;
  EXPECT_TRUE(names.contains(kPreludeName));
  EXPECT_TRUE(names.contains("stdio.h"));
  EXPECT_TRUE(names.contains("cstdio"));
}

TEST(Shims, NoneReachesAHeaderOfTheHost) {
  std::set<std::string_view> names;
  for (const auto& shim : shims()) names.insert(shim.name);
  for (const auto& shim : shims()) {
    const std::string_view text = shim.text;
    EXPECT_EQ(std::string_view::npos, text.find("/usr/")) << shim.name;
  }
}

}  // namespace warpgrade::compile::shims_test
