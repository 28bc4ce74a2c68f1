// SPDX-License-Identifier: Apache-2.0
// Recognises changes of a folder that are saves of the submission. No test sleeps: inotify's events
// are ready when the call that caused them returns.
#include "grader/watch/events.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <fstream>

#include "tests/compile/compiling.h"

namespace warpgrade::grader::watch::events_test {

class WatchedFilesTest : public testing::Test {
 protected:
  WatchedFilesTest() {
    write("copy.cu", "1");
    files_.watch(file("copy.cu"));
    EXPECT_TRUE(files_.changed()) << "what is new was never looked at";
    EXPECT_FALSE(files_.changed());
  }

  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
  }
  // Whether inotify has reported an event; drains it.
  bool told() {
    pollfd one{files_.descriptor(), POLLIN, 0};
    const bool is_told = poll(&one, 1, 0) == 1;
    files_.drain();
    return is_told;
  }
  // Like the program's loop: drains the notifications, then looks at the files.
  bool changed_as_told() {
    files_.drain();
    return files_.changed();
  }

  compile::TemporaryFolder folder_;
  WatchedFiles files_;
};

TEST_F(WatchedFilesTest, ASaveInPlaceIsTold) {
  write("copy.cu", "22");
  EXPECT_TRUE(told());
  EXPECT_TRUE(files_.changed());
  EXPECT_FALSE(told());
  EXPECT_FALSE(files_.changed());
}

TEST_F(WatchedFilesTest, ASaveByRenameIsTold) {
  write("copy.cu~new", "1");
  std::filesystem::rename(file("copy.cu~new"), file("copy.cu"));
  EXPECT_TRUE(told());
  EXPECT_TRUE(files_.changed());
}

TEST_F(WatchedFilesTest, ADeletedFileIsAChangeAndItsReturnAnother) {
  std::filesystem::remove(file("copy.cu"));
  EXPECT_TRUE(told());
  EXPECT_TRUE(files_.changed());
  EXPECT_FALSE(files_.is_there());
  write("copy.cu", "1");
  EXPECT_TRUE(changed_as_told());
  EXPECT_TRUE(files_.is_there());
}

TEST_F(WatchedFilesTest, AHeaderBesideItCountsAndOtherFilesDoNot) {
  write("tile.cuh", "x");
  EXPECT_TRUE(changed_as_told());
  write(".copy.cu.swp", "x");
  write("transpose.cu", "x");
  write("4913", "x");
  EXPECT_FALSE(changed_as_told());
}

// Opening a file for writing empties it, so its contents are incomplete until it is closed.
TEST_F(WatchedFilesTest, AFileThatIsBeingWrittenIsNotSavedYet) {
  std::ofstream out(file("copy.cu"));
  EXPECT_FALSE(changed_as_told());
  out << "22" << std::flush;
  EXPECT_FALSE(changed_as_told());
  out.close();
  EXPECT_TRUE(changed_as_told());
}

TEST_F(WatchedFilesTest, WhereNothingIsToldTwoEqualLooksAreASave) {
  std::ofstream out(file("copy.cu"));
  files_.look();
  EXPECT_FALSE(files_.changed());
  out << "22" << std::flush;
  files_.look();
  EXPECT_FALSE(files_.changed());
  files_.look();
  EXPECT_TRUE(files_.changed());
  files_.look();
  EXPECT_FALSE(files_.changed());
}

TEST_F(WatchedFilesTest, ManySavesAreOneChange) {
  for (int i = 0; i < 200; ++i) write("copy.cu", std::to_string(1000 + i));
  EXPECT_TRUE(told());
  EXPECT_TRUE(files_.changed());
  EXPECT_FALSE(told());
  EXPECT_FALSE(files_.changed());
}

TEST_F(WatchedFilesTest, AnotherFileIsWatchedInItsFolder) {
  const compile::TemporaryFolder other;
  other.write("a.cu", "1");
  files_.watch(other.path() / "a.cu");
  EXPECT_TRUE(files_.changed());
  files_.drain();
  EXPECT_FALSE(files_.changed());
  write("copy.cu", "333");
  EXPECT_FALSE(told());
  EXPECT_FALSE(files_.changed());
}

TEST_F(WatchedFilesTest, AFolderThatGoesIsNoFile) {
  std::filesystem::remove_all(folder_.path());
  EXPECT_TRUE(changed_as_told());
  EXPECT_FALSE(files_.is_there());
}

}  // namespace warpgrade::grader::watch::events_test
