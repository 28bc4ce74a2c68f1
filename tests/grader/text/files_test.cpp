// SPDX-License-Identifier: Apache-2.0
// Files written whole or not at all.
#include "grader/text/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "common/base/error.h"

namespace warpgrade::grader::text::files_test {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string message(const fs::path& file, const std::string& content) {
  try {
    write_atomically(file, content);
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return "written";
}

TEST(Files, ReplaceWhatWasThereAndLeaveNothingElse) {
  const auto folder = fs::path(testing::TempDir()) / "warpgrade_files";
  fs::create_directories(folder);
  write_atomically(folder / "a.json", "long content");
  write_atomically(folder / "a.json", "new");
  EXPECT_EQ("new", read(folder / "a.json"));
  EXPECT_EQ(1, std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  fs::remove_all(folder);
}

TEST(Files, ThatMayBeLostGetTheirFoldersAndAreNoFailure) {
  const auto folder = fs::path(testing::TempDir()) / "warpgrade_lost";
  fs::remove_all(folder);
  write_if_possible(folder / "deep/a.json", "kept");
  EXPECT_EQ("kept", read(folder / "deep/a.json"));
  write_if_possible(folder / "deep/a.json/b.json", "below a file");
  EXPECT_EQ("kept", read(folder / "deep/a.json"));
  fs::remove_all(folder);
}

TEST(Files, ThatAreLinksLeadToWhatIsWritten) {
  const auto folder = fs::path(testing::TempDir()) / "warpgrade_links";
  fs::remove_all(folder);
  fs::create_directories(folder / "deep");
  fs::create_symlink("deep/a.json", folder / "to_file");
  fs::create_symlink("to_file", folder / "to_link");
  for (const auto* content : {"new", "old"}) {
    write_atomically(folder / "to_link", content);
    EXPECT_EQ(content, read(folder / "deep/a.json"));
    EXPECT_TRUE(fs::is_symlink(folder / "to_link"));
    EXPECT_TRUE(fs::is_symlink(folder / "to_file"));
  }
  fs::create_symlink("round", folder / "round");
  EXPECT_EQ((folder / "round").string() + ": cannot be written: Too many levels of symbolic links",
            message(folder / "round", "x"));
  fs::remove_all(folder);
}

TEST(Files, MayHaveTheLongestNamesThereAre) {
  const auto file = fs::path(testing::TempDir()) / std::string(255, 'x');
  write_atomically(file, "content");
  EXPECT_EQ("content", read(file));
  fs::remove(file);
}

TEST(Files, SayWhatCannotBeWrittenAndWhy) {
  EXPECT_EQ("/no/such/folder/a.json: cannot be written: No such file or directory",
            message("/no/such/folder/a.json", "x"));
  EXPECT_EQ("/tmp: cannot be written: Is a directory", message("/tmp", "x"));
  EXPECT_EQ("/dev/full: cannot be written: No space left on device", message("/dev/full", "x"));
  EXPECT_EQ("written", message("/dev/null", "x"));
}

}  // namespace warpgrade::grader::text::files_test
