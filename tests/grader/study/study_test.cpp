// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader::study::study_test {

// Published tables: units, the rows that agree with a point, and mistakes with their line.

using testing::HasSubstr;

class PublishedTest : public testing::Test {
 protected:
  PublishedTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "warpgrade-published-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~PublishedTest() override { std::filesystem::remove_all(folder); }
  PublishedTable read(const std::string& text, const std::string& value = "ms") const {
    std::ofstream(folder / "t.csv") << text;
    return read_published(folder / "t.csv", "t.csv", value);
  }
  std::string error_of(const std::string& text, const std::string& value = "ms") const {
    try {
      read(text, value);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return {};
  }
  std::filesystem::path folder;
};

const char* const kTable =
    "# Somebody,\r\n# 2010\r\ndevice,kernel,n,ms,GiB_per_s,note\nk40,copy,32,2,1,fast\n"
    "k40,copy,64,5,3,slow\n\nh200,copy,32,0.5,4,x\n";

TEST_F(PublishedTest, ValuesAreInSiUnits) {
  const auto times = read(kTable);
  EXPECT_TRUE(times.is_time);
  EXPECT_EQ("Somebody, 2010", times.source);
  EXPECT_DOUBLE_EQ(0.002, times.find("k40", "copy", {{"n", 32}}).value());
  EXPECT_DOUBLE_EQ(1073741824.0,
                   read(kTable, "GiB_per_s").find("k40", "copy", {{"n", 32}}).value());
}

TEST_F(PublishedTest, ARowMustAgreeInEveryVariable) {
  const auto table = read(kTable);
  EXPECT_FALSE(table.find("k40", "copy", {{"n", 33}}));
  EXPECT_FALSE(table.find("k40", "copy", {}));
  EXPECT_FALSE(table.find("k40", "other", {{"n", 32}}));
  EXPECT_DOUBLE_EQ(0.005, table.find("k40", "copy", {{"n", 64}, {"more", 1}}).value());
}

TEST_F(PublishedTest, MistakesNameTheirLine) {
  EXPECT_THAT(error_of("# s\ndevice,kernel,ms\nk40,copy\n"), HasSubstr("t.csv:3: 2 cells"));
  EXPECT_THAT(error_of("# s\ndevice,kernel,ms\nk40,copy,x\n"),
              HasSubstr("t.csv:3: `x` is not a number"));
  EXPECT_THAT(error_of("# s\ndevice,ms\nk40,1\n"), HasSubstr("unknown column `kernel`"));
  EXPECT_THAT(error_of("device,kernel,ms\nk40,copy,1\n"), HasSubstr("the source is missing"));
  EXPECT_THAT(error_of("# s\ndevice,kernel,ms\n"), HasSubstr("there are no rows"));
  EXPECT_THAT(error_of(kTable, "mss"), HasSubstr("did you mean `ms`"));
}

TEST(Part, VariablesAreThePartsTheAxisAndThenTheKernels) {
  Part part;
  part.axis = std::string("n");
  part.variables = {{"word", 4}, {"n", 1}};
  Kernel kernel;
  kernel.variables = {{"word", 8}, {"own", 2}};
  EXPECT_EQ((text::Variables{{"n", 64}, {"word", 4}}), part.variables_at(64));
  EXPECT_EQ((text::Variables{{"n", 64}, {"own", 2}, {"word", 8}}), part.variables_at(64, kernel));
}

TEST(Device, TheLabelTellsKeplersOtherBanks) {
  EXPECT_EQ("k40", (Device{"k40", false}.label()));
  EXPECT_EQ("k40 8-byte", (Device{"k40", true}.label()));
}

}  // namespace warpgrade::grader::study::study_test
