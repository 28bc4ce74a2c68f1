// SPDX-License-Identifier: Apache-2.0
// Reports name the program that made them.
#include "grader/cli/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace warpgrade::grader::cli::version_test {

using testing::MatchesRegex;

std::chrono::system_clock::time_point at(std::int64_t seconds) {
  return std::chrono::system_clock::time_point(std::chrono::seconds(seconds));
}

TEST(Provenance, GivesTheTimeInUtc) {
  EXPECT_EQ("1970-01-01T00:00:00Z", provenance(at(0)).time);
  EXPECT_EQ("2026-11-22T14:20:00Z", provenance(at(1795357200)).time);
}

TEST(Provenance, NamesTheProgramAndItsCompiler) {
  const auto made = provenance(at(0));
  EXPECT_EQ("warpgrade " + made.version + " (" + made.commit + ")", version_line());
  EXPECT_EQ(commit(), made.commit);
  EXPECT_THAT(made.toolkit, MatchesRegex("13\\.[0-9]+\\.[0-9]+"));
}

TEST(Provenance, HasNoCompilerWhereThereIsNone) {
  ::setenv("WARPGRADE_CUDA_HOME", "/nonexistent", 1);
  EXPECT_EQ("", provenance(at(0)).toolkit);
  ::unsetenv("WARPGRADE_CUDA_HOME");
}

}  // namespace warpgrade::grader::cli::version_test
