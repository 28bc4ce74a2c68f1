// SPDX-License-Identifier: Apache-2.0
// Titles of columns as the language packs of download.moodle.org write them.
#include "grader/class/column_titles.h"

#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::column_titles_test {

using Places = std::map<ColumnMeaning, std::size_t>;

TEST(ColumnTitles, AGermanWorksheetWithBlindMarkingHasItsNumbers) {
  const std::vector<std::string> titles = {"ID",
                                           "Status",
                                           "Bewertung",
                                           "Bestwertung",
                                           "Zuletzt geändert (Abgabe)",
                                           "Feedback als Kommentar"};
  const Places right = {{ColumnMeaning::kId, 0},
                        {ColumnMeaning::kMaximum, 3},
                        {ColumnMeaning::kModified, 4},
                        {ColumnMeaning::kFeedback, 5}};
  EXPECT_EQ(right, meanings_of(titles, {}));
}

TEST(ColumnTitles, TheLanguageOfMostTitlesDecidesWhatAWordMeans) {
  // "Nome" is a first name beside a last name in Portuguese and Italian; alone, Italian has the
  // whole.
  const Places portuguese = {
      {ColumnMeaning::kFirst, 0}, {ColumnMeaning::kLast, 1}, {ColumnMeaning::kEmail, 2}};
  EXPECT_EQ(portuguese, meanings_of({"Nome", "Apelido", "E-mail"}, {}));
  const Places italian = {{ColumnMeaning::kId, 0},
                          {ColumnMeaning::kName, 1},
                          {ColumnMeaning::kEmail, 2},
                          {ColumnMeaning::kMaximum, 3}};
  EXPECT_EQ(italian,
            meanings_of({"Identificativo", "Nome", "Indirizzo email", "Valutazione massima"}, {}));
  const Places french = {
      {ColumnMeaning::kFirst, 0}, {ColumnMeaning::kLast, 1}, {ColumnMeaning::kNumber, 2}};
  EXPECT_EQ(french, meanings_of({"Prénom", "Nom de famille", "Numéro d’identification"}, {}));
}

TEST(ColumnTitles, ARosterOfTwoLanguagesIsRead) {
  const Places right = {
      {ColumnMeaning::kName, 0}, {ColumnMeaning::kNumber, 1}, {ColumnMeaning::kEmail, 2}};
  EXPECT_EQ(right, meanings_of({"Name", "Matrikelnummer", "E-Mail"}, {}));
}

TEST(ColumnTitles, TitlesOfClassTomlComeFirst) {
  const Places right = {{ColumnMeaning::kLogin, 1}, {ColumnMeaning::kName, 0}};
  EXPECT_EQ(right, meanings_of({"name", "Kennung"}, {{ColumnMeaning::kLogin, "Kennung"}}));
}

TEST(MoodleTime, IsReadInEachLanguage) {
  const auto zone = TimeZone::called("Europe/Berlin").value();
  const auto time = parse_time("2026-11-20 23:58", zone);
  for (const auto* text :
       {"Friday, 20 November 2026, 11:58 PM", "20 November 2026, 11:58 PM",
        "Freitag, 20. November 2026, 23:58", "viernes, 20 de noviembre de 2026, 23:58",
        "vendredi 20 novembre 2026, 23:58", "sexta, 20 de novembro de 2026 às 23:58",
        "пятница, 20 ноября 2026, 23:58", "Cuma, 20 Kasım 2026, 11:58 ÖS",
        "2026年11月20日 星期五 23:58", "2026年 11月 20日(金曜日) 23:58", "2026-11-20 23:58"}) {
    EXPECT_EQ(time, moodle_time(text, zone)) << text;
  }
  for (const auto* text :
       {"-", "", "20 Xember 2026, 23:58", "20 November 2026, 13:58 PM", "soon"}) {
    EXPECT_EQ(std::nullopt, moodle_time(text, zone)) << text;
  }
}

}  // namespace warpgrade::grader::class_book::column_titles_test
