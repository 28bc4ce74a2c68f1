// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::book_file_test {

// A lock with one holder at a time.

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

}  // namespace warpgrade::grader::class_book::book_file_test
