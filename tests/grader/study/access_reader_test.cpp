// SPDX-License-Identifier: Apache-2.0
// The message for each mistake in a picture of accesses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/study/access_record.h"
#include "tests/grader/study/small_study.h"

namespace warpgrade::grader::study::access_reader_test {

using testing::HasSubstr;

class AccessReader : public SmallStudy {
 protected:
  std::string with(const std::string& from, const std::string& to) const {
    return message(replaced(kAccess, from, to));
  }
  static inline const std::string kAccess = R"toml(title = "Small"
summary = "For tests."
devices = ["k40"]

[[access]]
title = "who"
device = "k40"
file = "kernels/small.cu"
kernel = "slow"
grid = [1]
block = [32]
memory = "out"
operation = "store"
rows = 4
columns = 8
element_bytes = 4
labels = ["thread"]
colour = "block"
parameters = "float* out"
shapes = { out = 32 }
)toml";
};

TEST_F(AccessReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ("accepted", message(kAccess));
  EXPECT_THAT(
      with("memory = \"out\"", "memory = \"tuo\""),
      HasSubstr("small.toml:12:10: access `who`: `memory`: must be \"shared\" or a parameter"));
  EXPECT_THAT(with("[\"thread\"]", "[\"lane\"]"),
              HasSubstr("unknown `lane`; choices: thread, block, step, bank"));
  EXPECT_THAT(with("colour = \"block\"", "colour = \"bank\""),
              HasSubstr("banks are those of words of 4 bytes of shared memory"));
  EXPECT_THAT(with("rows = 4", "rows = 49"), HasSubstr("1 to 48 rows and columns"));
}

TEST(AccessCells, AnAccessThatIsNotThereCannotBeFramed) {
  AccessPicture picture;
  picture.title = std::string("a");
  picture.rows = picture.columns = 1;
  picture.element_bytes = 4;
  picture.framed = 1;
  try {
    cells_of(picture, device::find("k40"), {RecordedAccess{0, 0, 0, 1, 4, {}}});
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot frame access 1: the kernel makes 1"));
  }
}

}  // namespace warpgrade::grader::study::access_reader_test
