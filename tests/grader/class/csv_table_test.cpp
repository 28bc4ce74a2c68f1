// SPDX-License-Identifier: Apache-2.0
// CSV files of every platform are written back unchanged.
#include "grader/class/csv_table.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::csv_table_test {

TEST(CsvTable, UnchangedFilesAreTheSameBytes) {
  const std::string utf16("\xff\xfe\"\0N\0\"\0\t\0\xdc\0\r\0\n\0", 16);
  for (const auto& bytes : {std::string("a,\"b, \"\"c\"\"\"\r\n1,2\r\n"), std::string("a;b\n1;2"),
                            std::string("\xef\xbb\xbf\"a\"\t\"b\"\n"), std::string("a\n\nb\n"),
                            std::string("a,\"two\r\nlines\"\n"), utf16}) {
    EXPECT_EQ(bytes, CsvTable(bytes).bytes());
  }
}

TEST(CsvTable, CellsAreReadWithoutTheirQuotes) {
  const CsvTable table("Student,ID\r\n\"Doe, \"\"J\"\"\",1\r\n");
  EXPECT_EQ("Doe, \"J\"", table.text(1, 0));
  EXPECT_EQ("1", table.text(1, 1));
  EXPECT_EQ("", table.text(1, 2));
  const CsvTable wide(std::string_view("\xff\xfeN\0\t\0\xfc\0\x3d\xd8\x00\xde", 12));
  EXPECT_EQ("\xc3\xbc\xf0\x9f\x98\x80", wide.text(0, 1));
}

TEST(CsvTable, ChangedCellsAreQuotedAsTheFileIs) {
  CsvTable plain("a,b\n1,2\n");
  plain.put(1, 1, "7.5");
  EXPECT_EQ("a,b\n1,7.5\n", plain.bytes());
  CsvTable quoted("\"a\"\t\"b\"\n\"1\"\t\n");
  quoted.put(1, 1, "7.5");
  EXPECT_EQ("\"a\"\t\"b\"\n\"1\"\t\"7.5\"\n", quoted.bytes());
  plain.insert_column(1);
  EXPECT_EQ("a,,b\n1,,7.5\n", plain.bytes());
}

}  // namespace warpgrade::grader::class_book::csv_table_test
