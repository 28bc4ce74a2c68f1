// SPDX-License-Identifier: Apache-2.0
#include "grader/class/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::class_book::names_test {

// Composes letters and their accents; other text stays unchanged.

TEST(Composed, LettersAndTheirMarksAreOne) {
  EXPECT_EQ("Übung", composed_text("U\u0308bung"));
  EXPECT_EQ("Seán", composed_text("Sea\u0301n"));
  EXPECT_EQ("Nguyễn", composed_text("Nguye\u0302\u0303n"));
  EXPECT_EQ("한", composed_text("\u1112\u1161\u11ab"));
  EXPECT_EQ("が", composed_text("か\u3099"));
  EXPECT_EQ("й", composed_text("и\u0306"));
}

TEST(Composed, OtherTextStaysAsItIs) {
  for (const std::string text : {"", "plain", "Übung", "李明", "\xff\xfe", "a\xcc", "\u0308x"}) {
    EXPECT_EQ(text, composed_text(text));
  }
}

// Expected values come from Unicode's UnicodeData.txt, through Python's str.lower().

TEST(Folded, LettersOfThreeScriptsBecomeSmall) {
  EXPECT_EQ("jane doe", folded_text("  Jane   DOE "));
  EXPECT_EQ("åse ørsted ñ þ × ÿ", folded_text("Åse ØRSTED Ñ Þ × Ÿ"));
  EXPECT_EQ("łukasz żak čapek źrebię ő", folded_text("ŁUKASZ Żak Čapek Źrebię Ő"));
  EXPECT_EQ("nguyễn văn thuận ơ ư", folded_text("NGUYỄN VĂN THUẬN Ơ Ư"));
  EXPECT_EQ("γιώργοσ ά έ ή ί ό ύ ώ", folded_text("Γιώργος Ά Έ Ή Ί Ό Ύ Ώ"));
  EXPECT_EQ("иван ё ђ џ", folded_text("ИВАН Ё Ђ Џ"));
  EXPECT_EQ("ıçö", folded_text("ıÇÖ"));
}

TEST(Folded, AccentsApartAndBytesThatAreNoTextAreKept) {
  EXPECT_EQ("müller", folded_text("MU\xcc\x88LLER"));
  EXPECT_EQ("m\xffl", folded_text("M\xffL"));
  EXPECT_EQ("李 明", folded_text("李\xc2\xa0明"));
}

TEST(Folded, OnlyLettersAndDigitsAreLeft) {
  EXPECT_EQ("team1", squashed_text("Team_1"));
  EXPECT_EQ("équipe2", squashed_text("Équipe 2!"));
  EXPECT_EQ("oneiltom", squashed_text("O’Neil, Tom"));
  EXPECT_EQ("", squashed_text("--"));
}

// The bytes come from Python's codecs.

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

TEST(LegacyNames, TheRosterOpensFurtherCodePages) {
  struct Case {
    const char* name;
    std::string bytes;
  };
  for (auto& [name, bytes] : {Case{"Łukasz Żak",
                                   "\x9dukasz \xbd"
                                   "ak"},  // 852
                              Case{"Łukasz Żak",
                                   "\xa3ukasz \xaf"
                                   "ak"},  // 1250
                              Case{"Ayşe Yıldız",
                                   "Ay\x9f"
                                   "e Y\x8dld\x8dz"},                           // 857
                              Case{"Γιώργος", "\x82\xa0\xe9\xa8\x9a\xa6\xaa"},  // 737
                              Case{"Γιώργος", "\xc3\xe9\xfe\xf1\xe3\xef\xf2"},  // 1253
                              Case{"Иван", "\xc8\xe2\xe0\xed"}}) {              // 1251
    auto text = bytes;
    decode_legacy_names({&text}, {"Bo Ek", name});
    EXPECT_EQ(name, text);
  }
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

TEST(NameRule, FindsItsGroups) {
  const NameRule rule(R"(^(?<student>[a-z]+)_(?<time>\d+)_(?P<exercise>\w+)\.cu$)");
  const auto found = rule.match("export/ada_20261120235900_copy.cu");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ("ada", found->student);
  EXPECT_EQ("20261120235900", found->time);
  EXPECT_EQ("copy", found->exercise);
  EXPECT_FALSE(rule.match("ada_20261120235900_copy.cu.bak").has_value());
}

TEST(NameRule, LooksInTheWholePathWhereTheLastPartDoesNotMatch) {
  const NameRule rule(R"(^(?<student>[^/]+)/(?<lab>\w+)/(?<exercise>\w+)\.cu$)");
  const auto found = rule.match("bob/coalescing/copy.cu");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ("bob", found->student);
  EXPECT_EQ("coalescing", found->lab);
}

TEST(NameRule, AMistakeIsNamedWithItsPlace) {
  try {
    NameRule("(?<student>[a-z");
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("at its character"));
  }
  EXPECT_THROW(NameRule("(?<exercise>x)"), base::UsageError);
}

TEST(NameRule, GivesUpWhereItWouldTakeForEver) {
  const NameRule rule("^(?<student>(a+)+)$");
  EXPECT_FALSE(rule.match(std::string(60, 'a') + "!").has_value());
}

}  // namespace warpgrade::grader::class_book::names_test
