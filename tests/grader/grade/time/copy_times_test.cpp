// SPDX-License-Identifier: Apache-2.0
// Predicted copy times are stored. Damaged files, and files of another program or compiler, are
// ignored.
#include "grader/grade/time/copy_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace warpgrade::grader::grade::copy_times_test {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

class CopyTimesTest : public testing::Test {
 protected:
  CopyTimesTest() { fs::remove_all(folder_); }
  ~CopyTimesTest() override { fs::remove_all(folder_); }
  void write(const std::string& text) {
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "warpgrade_copy_times";
  fs::path file_ = folder_ / "cache" / "copy_times.json";
};

TEST_F(CopyTimesTest, WhatIsKeptIsThereTheNextTimeToTheLastBit) {
  constexpr double kSeconds = 0.1 + 0.2;
  CopyTimes(file_, "services").keep({{"c1060", {{64, kSeconds}, {128, 1e-300}}}});
  CopyTimes again(file_, "services");
  EXPECT_THAT(again.of("c1060"), UnorderedElementsAre(Pair(64, kSeconds), Pair(128, 1e-300)));
  EXPECT_THAT(again.of("h200"), IsEmpty());
  again.keep({{"h200", {{64, 2}}}});
  again.keep({{"c1060", {{256, 3}}}});
  const CopyTimes last(file_, "services");
  EXPECT_EQ(3U, last.of("c1060").size());
  EXPECT_THAT(last.of("h200"), UnorderedElementsAre(Pair(64, 2)));
}

TEST_F(CopyTimesTest, AnotherProgramsOrCompilersCountForNothing) {
  CopyTimes(file_, "services").keep({{"c1060", {{64, 1}}}});
  CopyTimes other(file_, "other services");
  EXPECT_THAT(other.of("c1060"), IsEmpty());
  other.keep({{"c1060", {{128, 2}}}});
  EXPECT_THAT(CopyTimes(file_, "other services").of("c1060"), UnorderedElementsAre(Pair(128, 2)));
  EXPECT_THAT(CopyTimes(file_, "services").of("c1060"), IsEmpty());
}

TEST_F(CopyTimesTest, WhatIsBrokenCountsForNothing) {
  const std::string head = R"({"schema": "warpgrade.copy_times/1", "services": "t", "devices": )";
  for (const auto& text : {std::string(), std::string("{"), std::string("[]"), head + "3}",
                           head + R"({"c1060": {"many": 1}}})", head + R"({"c1060": {"64": "1"}}})",
                           head + R"({"c1060": {"64": 0}}})", head + R"({"c1060": {"64": -1}}})",
                           head + R"({"c1060": {"64": null}}})"}) {
    write(text);
    EXPECT_THAT(CopyTimes(file_, "t").of("c1060"), IsEmpty()) << text;
  }
  write(head + R"({"c1060": {"64": 1}}})");
  EXPECT_THAT(CopyTimes(file_, "t").of("c1060"), UnorderedElementsAre(Pair(64, 1)));
}

TEST_F(CopyTimesTest, AFolderThatCannotBeWrittenToIsNoError) {
  CopyTimes times("/proc/no/such/copy_times.json", "services");
  times.keep({{"c1060", {{64, 1}}}});
  EXPECT_THAT(times.of("c1060"), UnorderedElementsAre(Pair(64, 1)));
}

TEST_F(CopyTimesTest, NothingNewIsNotWritten) {
  CopyTimes times(file_, "services");
  times.keep({{"c1060", {{64, 1}}}});
  fs::remove(file_);
  times.keep({{"c1060", {{64, 1}}}});
  EXPECT_FALSE(fs::exists(file_));
}

}  // namespace warpgrade::grader::grade::copy_times_test
