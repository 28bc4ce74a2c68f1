// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "common/base/error.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::source_file_test {

using testing::HasSubstr;

// The message that refuses `bytes`; "" if they are accepted.
std::string refusal(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto read = read_source(folder.write("k.cu", bytes));
  const auto* found = std::get_if<std::vector<base::Diagnostic>>(&read);
  return found == nullptr ? "" : found->front().message;
}

std::string usage_error(const std::filesystem::path& file) {
  try {
    static_cast<void>(read_source(file));
    return "";
  } catch (const base::UsageError& error) {
    return error.what();
  }
}

TEST(SourceFile, SkipsAByteOrderMark) {
  const TemporaryFolder folder;
  const auto read = read_source(folder.write("k.cu", "\xef\xbb\xbfint a;"));
  EXPECT_EQ("int a;", std::get<CompileRequest>(read).source);
  EXPECT_EQ(folder.path(), std::get<CompileRequest>(read).folder);
}

TEST(SourceFile, RefusesWhatIsNoSource) {
  EXPECT_EQ("the file is empty", refusal(""));
  EXPECT_EQ("the file is empty", refusal(" \n\t\r\n"));
  EXPECT_THAT(refusal(std::string("int a;\n\0", 8)), HasSubstr("null byte"));
  EXPECT_THAT(refusal("\x7f"
                      "ELF\x02\x01"),
              HasSubstr("program"));
  EXPECT_THAT(refusal("\xff\xfei\x01"), HasSubstr("UTF-16"));
  EXPECT_THAT(refusal(std::string((4 << 20) + 1, ' ')), HasSubstr("4 MiB"));
  EXPECT_EQ("", refusal("x" + std::string((4 << 20) - 1, ' ')));
}

TEST(SourceFile, NamesTheLineOfANullByte) {
  const TemporaryFolder folder;
  const auto read = read_source(folder.write("k.cu", std::string("a\nb\n\0c", 6)));
  EXPECT_EQ(3u, std::get<std::vector<base::Diagnostic>>(read).front().where.line);
}

TEST(SourceFile, ThatCannotBeReadIsAUsageError) {
  const TemporaryFolder folder;
  EXPECT_THAT(usage_error(folder.path() / "none.cu"), HasSubstr("No such file"));
  EXPECT_THAT(usage_error(folder.path()), HasSubstr("folder"));
  const auto pipe = folder.path() / "pipe.cu";
  ASSERT_EQ(0, ::mkfifo(pipe.c_str(), 0600));
  EXPECT_THAT(usage_error(pipe), HasSubstr("not a regular file"));
}

}  // namespace warpgrade::compile::source_file_test
