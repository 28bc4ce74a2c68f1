// SPDX-License-Identifier: Apache-2.0
// The bytes come from Python's codecs.
#include "grader/text/legacy_names.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::text::legacy_names_test {

std::string decoded(std::string bytes) {
  decode_legacy_names({&bytes});
  return bytes;
}

TEST(LegacyNames, WesternNamesOfEachCodePage) {
  EXPECT_EQ("Müller", decoded("M\x81ller"));  // 437 and 850
  EXPECT_EQ("Müller", decoded("M\xfcller"));  // 1252
  EXPECT_EQ("Døe", decoded("D\x9b"
                           "e"));                              // 850
  EXPECT_EQ("Íris", decoded("\xd6ris"));                       // 850
  EXPECT_EQ("Seán Ó Briain", decoded("Se\xe1n \xd3 Briain"));  // 1252
  EXPECT_EQ("größer", decoded("gr\xf6\xdf"
                              "er"));  // 1252
  EXPECT_EQ("größer", decoded("gr\x94\xe1"
                              "er"));  // 437 and 850
}

TEST(LegacyNames, OtherScripts) {
  EXPECT_EQ("Иван", decoded("\x88\xa2\xa0\xad"));                                // 866
  EXPECT_EQ("山田太郎", decoded("\x8e\x52\x93\x63\x91\xbe\x98\x59"));            // 932
  EXPECT_EQ("課題の提出", decoded("\x89\xdb\x91\xe8\x82\xcc\x92\xf1\x8f\x6f"));  // 932
  EXPECT_EQ("李明", decoded("\xc0\xee\xc3\xf7"));                                // GBK
  EXPECT_EQ("作业提交", decoded("\xd7\xf7\xd2\xb5\xcc\xe1\xbd\xbb"));            // GBK
}

TEST(LegacyNames, KoreanAndTraditionalChinese) {
  EXPECT_EQ("김민수", decoded("\xb1\xe8\xb9\xce\xbc\xf6"));              // 949
  EXPECT_EQ("박지성", decoded("\xb9\xda\xc1\xf6\xbc\xba"));              // 949
  EXPECT_EQ("과제 제출", decoded("\xb0\xfa\xc1\xa6 \xc1\xa6\xc3\xe2"));  // 949
  EXPECT_EQ("作業繳交", decoded("\xa7\x40\xb7\x7e\xc3\xba\xa5\xe6"));    // Big5
  EXPECT_EQ("王小明", decoded("\xa4\xfd\xa4\x70\xa9\xfa"));              // Big5
}

TEST(LegacyNames, KnownPeopleDecideWhatBytesAlikeMean) {
  const std::string bytes = "\xc0\xee\xc3\xf7";  // valid in GBK, 949 and Big5
  for (const auto* name : {"李明", "쟀츠", "燠隴"}) {
    auto text = bytes;
    decode_legacy_names({&text}, {"Bo Ek", name});
    EXPECT_EQ(name, text);
  }
  std::string accents =
      "Zo\x89 D\x94"
      "e";  // 437 reads "Zoë Döe", 1252 "Zo‰ D”e"
  decode_legacy_names({&accents}, {"Doe, Zoe", "Zoë Döe"});
  EXPECT_EQ("Zoë Döe", accents);
}

TEST(LegacyNames, AllNamesOfAnArchiveHaveOneEncoding) {
  std::string first = "Se\xe1n";  // 1252; alone, "Seßn" in 437 is as likely.
  std::string second = "\xd3 Briain";
  decode_legacy_names({&first, &second});
  EXPECT_EQ("Seán", first);
  EXPECT_EQ("Ó Briain", second);
}

TEST(LegacyNames, WhatIsNoWordInAnyEncodingStaysAsItIs) {
  for (const std::string bytes : {"\xb0\xb1\xb2 \xdb", "\xb0"}) {
    EXPECT_EQ(bytes, decoded(bytes)) << bytes;
  }
  decode_legacy_names({});
}

}  // namespace warpgrade::grader::text::legacy_names_test
