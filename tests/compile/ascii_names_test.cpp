// SPDX-License-Identifier: Apache-2.0
// Replaces identifiers that are not ASCII: lengths and places stay, names stay distinct, and logs
// get the original names back.
#include "common/compile/ascii_names.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::compile::ascii_names_test {

TEST(AsciiNames, ReplacesIdentifiersAndKeepsTheLength) {
  AsciiNames names;
  const std::string text = "int größe = 数 + größe;\n#define HÖHE 3\n";
  const auto out = names.replace(text);
  EXPECT_EQ(text.size(), out.size());
  for (const char c : out) EXPECT_LT(static_cast<unsigned char>(c), 0x80) << out;
  EXPECT_EQ(out.substr(out.find("gr"), 7), out.substr(out.rfind("gr"), 7));
  EXPECT_EQ(text, names.restore(out));
}

TEST(AsciiNames, NamesThatDifferOnlyBeyondAsciiStayApart) {
  AsciiNames names;
  const auto out = names.replace("größe grüße grqqse grqrse");
  EXPECT_NE(out.substr(0, 7), out.substr(8, 7));
  EXPECT_EQ("größe grüße grqqse grqrse", names.restore(out));
}

TEST(AsciiNames, LeavesCommentsAndLiteralsAlone) {
  AsciiNames names;
  const std::string text = "// Größe\nprintf(\"Größe %d\\n\", n); /* ä */ char c = 'x';\n";
  EXPECT_EQ(text, names.replace(text));
}

TEST(AsciiNames, QuotationMarksAndSignsOfAnEditorStay) {
  AsciiNames names;
  const std::string text = "puts(“a”); x = a × b − c;\u00a0";
  EXPECT_EQ(text, names.replace(text));
}

TEST(AsciiNames, PlainTextHasNothingToRestore) {
  AsciiNames names;
  EXPECT_EQ("int a;", names.replace("int a;"));
  EXPECT_EQ("x.cu(1): error", names.restore("x.cu(1): error"));
}

TEST(AsciiNames, AHeaderSharesTheNamesOfTheMainFile) {
  AsciiNames names;
  const auto main_file = names.replace("int größe;");
  EXPECT_EQ(main_file, names.replace("int größe;"));
}

}  // namespace warpgrade::compile::ascii_names_test
