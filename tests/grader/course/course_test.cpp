// SPDX-License-Identifier: Apache-2.0
// Labs on disk, and the exercises that a command line selects.
#include "grader/course/course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "common/base/error.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::course::course_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CourseTest : public testing::Test {
 protected:
  CourseTest() {
    std::string pattern = (fs::temp_directory_path() / "warpgrade-course-XXXXXX").string();
    root = ::mkdtemp(pattern.data());
    for (const auto* lab : {"small", "another"}) {
      fs::create_directories(root / "labs" / lab);
      std::ofstream(root / "labs" / lab / "grader.toml")
          << manifest_with("\"sectors\"", "\"dram__bytes_read.sum\"");
    }
    fs::create_directories(root / "labs" / "no_lab");
  }
  ~CourseTest() override { fs::remove_all(root); }
  std::string error_of(const std::vector<std::string>& selections) const {
    try {
      const auto course = read_course(root, selections);
      select(course, selections);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return {};
  }
  fs::path root;
};

TEST_F(CourseTest, LabsAreFoldersWithAManifestByName) {
  const auto course = read_course(root, {});
  ASSERT_EQ(2U, course.labs.size());
  const auto all = select(course, {});
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ(&course.labs[0], all[0].lab);
  EXPECT_EQ("twice", all[0].exercise->id);
}

TEST_F(CourseTest, OneThatIsInstalledLiesBesideTheProgramsFolder) {
  EXPECT_EQ("", installed_course(root / "prefix/bin/warpgrade"));
  fs::create_directories(root / "prefix/share");
  fs::create_symlink(root, root / "prefix/share/warpgrade");
  EXPECT_EQ(root / "prefix/share/warpgrade", installed_course(root / "prefix/bin/warpgrade"));
}

TEST_F(CourseTest, LabsWithAPlaceComeFirst) {
  const auto manifest = root / "labs" / "small" / "grader.toml";
  std::ofstream(manifest) << "order = 7\n"
                          << manifest_with("\"sectors\"", "\"dram__bytes_read.sum\"");
  EXPECT_EQ("small", read_course(root, {}).labs[0].id);
  EXPECT_EQ("small", select(read_course(root, {}), {})[0].lab->id);
}

TEST_F(CourseTest, ASelectionIsALabOrAnExerciseAndCountsOnce) {
  const auto course = read_course(root, {});
  EXPECT_EQ(1U, select(course, {"small"}).size());
  EXPECT_EQ(1U, select(course, {"small/twice"}).size());
  EXPECT_EQ(1U, select(course, {"small", "small/twice", "small"}).size());
}

TEST_F(CourseTest, AnExerciseMayBeNamedByItsLastPartOrItsSkeleton) {
  std::ofstream(root / "labs/small/twice.cu") << "";
  std::ofstream(root / "labs/small/reference.cu") << "";
  const auto course = read_course(root, {"twice"});
  ASSERT_EQ(1U, course.labs.size());
  EXPECT_EQ("small", course.labs[0].id);
  for (const std::string name : {"twice", "labs/small/twice.cu"}) {
    EXPECT_EQ(1U, select(course, {name}).size()) << name;
  }
  EXPECT_EQ(1U, select(course, {(root / "labs/small/twice.cu").string()}).size());
  EXPECT_THAT(error_of({"twize"}),
              HasSubstr("there is no lab or exercise `twize`, did you mean `twice`?"));
  EXPECT_THAT(error_of({"reference"}), HasSubstr("there is no lab or exercise"));
  EXPECT_THAT(error_of({"labs/small/other.cu"}), HasSubstr("there is no exercise of small"));
  std::ofstream(root / "labs/another/twice.cu") << "";
  EXPECT_EQ("several labs have an exercise `twice`; say which: another/twice, small/twice",
            error_of({"twice"}));
}

TEST_F(CourseTest, OtherNamesAreMistakesWithTheNearestOne) {
  EXPECT_THAT(error_of({"smal"}), HasSubstr("small"));
  EXPECT_THAT(error_of({"small/twic"}), HasSubstr("twice"));
  EXPECT_NE("", error_of({"no_lab"}));
}

TEST_F(CourseTest, OnlyTheLabsThatAreNamedAreRead) {
  std::ofstream(root / "labs" / "another" / "grader.toml") << "broken";
  EXPECT_EQ("", error_of({"small"}));
  EXPECT_NE("", error_of({}));
}

TEST_F(CourseTest, FilesInsideAreShownFromTheRoot) {
  const auto course = read_course(root, {"small"});
  EXPECT_EQ("labs/small/twice.cu", shown_path(course, course.root / "labs/small/twice.cu"));
  EXPECT_EQ("/elsewhere/twice.cu", shown_path(course, "/elsewhere/twice.cu"));
}

}  // namespace warpgrade::grader::course::course_test
