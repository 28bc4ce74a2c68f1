// SPDX-License-Identifier: Apache-2.0
// A lock with one holder at a time.
#include "grader/class/lock.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::lock_test {

namespace fs = std::filesystem;

TEST(Lock, IsOnesUntilItGoes) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade.lock";
  {
    const Lock first(file);
    EXPECT_THROW(Lock second(file), base::UsageError);
  }
  EXPECT_NO_THROW(Lock third(file));
  EXPECT_THROW(Lock(fs::path("/nowhere/x.lock")), base::ToolError);
  fs::remove(file);
}

}  // namespace warpgrade::grader::class_book::lock_test
