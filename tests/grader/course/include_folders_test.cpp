// SPDX-License-Identifier: Apache-2.0
#include "grader/course/include_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::course::include_folders_test {

using testing::ElementsAre;
using testing::HasSubstr;

// A course with the lab `small`, with headers beside it and in the root.
class IncludeFolders : public testing::Test {
 protected:
  IncludeFolders() {
    root_.write("labs/small/grader.toml", "");
    root_.write("labs/small/own/a.h", "");
    root_.write("labs/include/b.h", "");
    root_.write("labs/other/grader.toml", "");
    root_.write("include/c.h", "");
    root_.write("solutions/small/d.h", "");
    root_.write("tests/e.h", "");
    std::filesystem::create_symlink("../../solutions", root_.path() / "labs/small/link");
  }
  std::vector<std::filesystem::path> folders(const std::vector<std::string>& given) const {
    return include_folders(root_.path() / "labs/small", given, {"grader.toml", 3, 19});
  }
  std::string error_of(const std::string& name) const {
    try {
      folders({name});
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return {};
  }
  compile::TemporaryFolder root_;
};

TEST_F(IncludeFolders, AreSeenFromTheLabAndAbsolute) {
  const auto root = std::filesystem::canonical(root_.path());
  EXPECT_THAT(folders({"own", "../include/", "../../include"}),
              ElementsAre(root / "labs/small/own", root / "labs/include", root / "include"));
}

TEST_F(IncludeFolders, OneThatIsNotThereIsToldWithItsPlace) {
  EXPECT_THAT(error_of("../includes"), HasSubstr("grader.toml:3:19"));
  EXPECT_THAT(error_of("../includes"),
              HasSubstr("include folder `../includes`: the folder does not exist"));
  EXPECT_THAT(error_of("own/a.h"), HasSubstr("the folder does not exist"));
}

TEST_F(IncludeFolders, WhatStudentsAreNotToSeeIsNone) {
  EXPECT_THAT(error_of("../../.."), HasSubstr("outside the course"));
  EXPECT_THAT(error_of("/usr/include"), HasSubstr("outside the course"));
  EXPECT_THAT(error_of("../../solutions/small"), HasSubstr("students do not receive"));
  EXPECT_THAT(error_of("link"), HasSubstr("students do not receive"));
  EXPECT_THAT(error_of("../../tests"), HasSubstr("students do not receive"));
  for (const auto* holds : {".", "..", "../..", "../other"}) {
    EXPECT_THAT(error_of(holds), HasSubstr("it holds a manifest")) << holds;
  }
}

TEST_F(IncludeFolders, AManifestNamesThem) {
  const auto text = manifest_with("summary", "include_folders = [\"own\"]\nsummary");
  const auto file = root_.write("labs/small/grader.toml", text);
  const auto lab = read_manifest(file, "labs/small/grader.toml", kVocabulary);
  ASSERT_EQ(1U, lab.include_folders.size());
  EXPECT_EQ("own", lab.include_folders[0].filename());
  root_.write("labs/small/grader.toml",
              manifest_with("summary", "include_folders = [\"none\"]\nsummary"));
  try {
    read_manifest(file, "labs/small/grader.toml", kVocabulary);
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("labs/small/grader.toml:2:19: include folder `none`"));
  }
}

}  // namespace warpgrade::grader::course::include_folders_test
