// SPDX-License-Identifier: Apache-2.0
#include "grader/class/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/error.h"
#include "common/base/toml_text.h"
#include "grader/class/book.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::rules_test {

// class.toml: its settings, and mistakes with their places.

namespace fs = std::filesystem;

class ClassRulesTest : public testing::Test {
 protected:
  ClassRulesTest() { fs::create_directories(folder_ / "in"); }
  ~ClassRulesTest() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  Rules read() { return read_rules(folder_ / "in/"); }
  std::string mistake() {
    try {
      read();
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "";
  }
  fs::path folder_ = fs::path(testing::TempDir()) / "warpgrade_class_rules";
};

TEST_F(ClassRulesTest, NothingHasToBeSaid) {
  const auto rules = read();
  EXPECT_EQ(Policy::kLatest, rules.policy);
  EXPECT_TRUE(rules.roster.empty());
  EXPECT_EQ(std::nullopt, rules.deadline_of("coalescing", "copy"));
}

TEST_F(ClassRulesTest, LateWorkLosesAShareForEachDayBegun) {
  write("class.toml",
        "policy = \"best\"\ndeadline = \"2026-11-20T00:00:00Z\"\n"
        "[deadlines]\n\"coalescing/copy\" = \"2026-11-22T00:00:00Z\"\n"
        "[late]\ngrace_minutes = 10\npercent_a_day = 10\nat_most = 25\n");
  const auto rules = read();
  EXPECT_EQ(Policy::kBest, rules.policy);
  constexpr std::int64_t kDeadline = 1795132800;  // date -u -d 2026-11-20 +%s
  constexpr std::int64_t kDay = 86400;
  EXPECT_EQ(kDeadline, rules.deadline_of("coarsening", "factor"));
  EXPECT_EQ(kDeadline + 2 * kDay, rules.deadline_of("coalescing", "copy"));
  const auto share = [&](std::int64_t submitted) {
    return rules.late.share(kDeadline, submitted, rules.zone);
  };
  EXPECT_EQ(0.0, share(kDeadline + 659));
  EXPECT_EQ(0.1, share(kDeadline + 660));
  // The grace period applies to each day, not only to the deadline.
  EXPECT_EQ(0.1, share(kDeadline + kDay + 659));
  EXPECT_EQ(0.2, share(kDeadline + kDay + 660));
  EXPECT_EQ(0.25, share(kDeadline + 9 * kDay));
}

TEST_F(ClassRulesTest, DeadlinesAreTomlTimesOrTextsInTheZone) {
  const std::pair<const char*, std::int64_t> all[] = {{"2026-11-20T23:59:00+01:00", 1795215540},
                                                      {"2026-11-20T23:59:00", 1795215540},
                                                      {"2026-11-20", 1795215599},
                                                      {"\"2026-11-20 11:59 PM\"", 1795215540},
                                                      {"2026-11-20T23:59:00Z", 1795219140},
                                                      {"\"2026-11-20 23:59 UTC\"", 1795219140}};
  for (const auto& [text, time] : all) {
    write("class.toml", std::string("timezone = \"Europe/Berlin\"\ndeadline = ") + text + "\n");
    EXPECT_EQ(time, read().deadlines.at("")) << text;
  }
  for (const auto* text : {"deadline = \"2026-11-20 23:59 tonight\"", "deadline = 23:59:00",
                           "timezone = \"Berlin\"", "layout = \"zoom\"", "deadline = 3"}) {
    write("class.toml", std::string(text) + "\n");
    EXPECT_THROW(read(), base::TomlError) << text;
  }
}

TEST_F(ClassRulesTest, TheRosterIsCsvWithQuotes) {
  write("class.toml", "roster = \"roster.csv\"\n");
  write("roster.csv", "name,student\r\n\"Lovelace, \"\"Ada\"\"\",ada\r\nBob,bob\r\n");
  const auto roster = read().roster;
  ASSERT_EQ(2U, roster.size());
  EXPECT_EQ("ada", roster[0].student);
  EXPECT_EQ("Lovelace, \"Ada\"", roster[0].name);
}

TEST_F(ClassRulesTest, MistakesHaveTheirPlaces) {
  write("class.toml", "deadline = \"soon\"\n");
  EXPECT_THAT(mistake(), testing::HasSubstr("class.toml:1:"));
  write("class.toml", "polcy = \"best\"\n");
  EXPECT_THAT(mistake(), testing::HasSubstr("policy"));
  write("class.toml", "name = '(?<student>'\n");
  EXPECT_THAT(mistake(), testing::HasSubstr("class.toml:1:"));
  write("class.toml", "roster = \"roster.csv\"\n");
  write("roster.csv", "student\nada\nada\n");
  EXPECT_THAT(mistake(), testing::HasSubstr("row 3 names ada a second time"));
}

TEST_F(ClassRulesTest, SettingsWithoutEffectAreNamed) {
  write("class.toml", "scale = \"column\"\ntime_format = \"%H\"\n[late]\npercent_a_day = 10\n");
  EXPECT_THAT(
      idle_settings(read(), {}),
      testing::ElementsAre(
          "[late] changes nothing: no deadline is set; add deadline = \"2026-11-20 23:59\" to "
          "class.toml",
          "scale changes nothing: no roster is set; add roster = \"gradebook.csv\" to "
          "class.toml",
          "time_format changes nothing: it is for the group `time` of `name`, which has no "
          "such group"));
  write("class.toml", "deadline = 2026-11-20\n[late]\ngrace_minutes = 5\n");
  EXPECT_THAT(
      idle_settings(read(), {}),
      testing::ElementsAre(
          "[late] changes nothing: it deducts 0 percent; set percent_a_day, and at_most above "
          "0"));
  write("class.toml", "deadline = 2026-11-20\n[late]\npercent_a_day = 5\n");
  EXPECT_TRUE(idle_settings(read(), {}).empty());
}

TEST_F(ClassRulesTest, ColumnsThatNameTheStudentsMayBeGiven) {
  write("roster.csv", "Kennung;Punkte\nada;\n");
  write("class.toml", "roster = \"roster.csv\"\n");
  EXPECT_THAT(mistake(),
              testing::HasSubstr("no column names the students; the columns are "
                                 "`Kennung`, `Punkte`. Tell which one does in class.toml: "
                                 "[columns] identity = { login = \"TITLE\" }"));
  write("class.toml", "roster = \"roster.csv\"\n[columns]\nidentity = { login = \"Kennung\" }\n");
  EXPECT_EQ("ada", read().roster.at(0).student);
  write("class.toml", "roster = \"roster.csv\"\n[columns]\nidentity = { login = \"Name\" }\n");
  EXPECT_THAT(mistake(), testing::HasSubstr("the columns are `Kennung`, `Punkte`"));
  write("class.toml", "roster = \"roster.csv\"\n[columns]\nidentity = { logn = \"Kennung\" }\n");
  EXPECT_THAT(mistake(), testing::HasSubstr("class.toml:3:"));
}

TEST(StudentName, HasNoSlashAndNoControlCharacters) {
  EXPECT_TRUE(is_student_name("Zoë 12"));
  for (const auto* name : {"", ".", "..", "a/b", "a\nb", "\xff"}) {
    EXPECT_FALSE(is_student_name(name)) << name;
  }
}

// Deductions follow from each attempt's deadline, its source's rule, and extensions.

class LateShares : public testing::Test {
 protected:
  // One attempt of an older program, without a deadline, and three attempts in two sources, each
  // with a late rule of its own.
  LateShares() {
    book_.run(
        "INSERT INTO student (student, in_roster) VALUES ('ada', 1);"
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm');"
        "INSERT INTO run (began_at, engine, workers, backend, sandbox, program) VALUES ('', '', 0, "
        "'', '', '');"
        "INSERT INTO source (id, path, layout, run, timezone, share_a_day, most_share) VALUES (1, "
        "'/a', '', 1, 'UTC', 0.1, 0.15), (2, '/b', '', 1, 'Europe/Berlin', 0.5, 1);"
        "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
        "source, seen_at, found_in, deadline) VALUES"
        "('ada', 'lab', 'copy', 'a', '', '2026-11-12T00:00:00Z', 0.7, '', '', 1, NULL),"
        "('ada', 'lab', 'copy', 'b', '', '2026-11-12T00:00:00Z', 0, '', '', 1, "
        "'2026-11-10T00:00:00Z'),"
        "('ada', 'lab', 'copy', 'c', '', '2026-11-11T00:00:00Z', 0, '', '', 2, "
        "'2026-11-10T00:00:00Z'),"
        "('ada', 'lab', 'copy', 'd', '', '', 0.2, '', '', 2, '2026-11-10T00:00:00Z');");
  }
  std::string shares() {
    refresh_late_shares(book_, "ada");
    Statement ask(book_, "SELECT group_concat(late_share, ' ') FROM attempt ORDER BY id");
    return ask.step() ? ask.text(0) : "";
  }
  compile::TemporaryFolder folder_;
  Book file_{folder_.path() / "book.db"};
  Sqlite& book_ = file_.database();
};

TEST_F(LateShares, AreOfTheAttemptsOwnDeadlineAndRule) {
  EXPECT_EQ("0.7 0.15 0.5 0.0", shares());
  EXPECT_EQ("UTC", zone_of_book(book_).name());
}

TEST_F(LateShares, AnExtensionMovesADeadlineAndNeverShortensIt) {
  StudentException one{"ada", "", "", ExceptionKind::kExtension, 0, 0, "eve", "ill", ""};
  one.until = 1794355200;  // 2026-11-11T00:00:00Z
  grant(book_, one);
  EXPECT_EQ("0.7 0.1 0.0 0.0", shares());
  one.until = 1794182400;  // 2026-11-09T00:00:00Z, before the deadline
  grant(book_, one);
  EXPECT_EQ("0.7 0.15 0.5 0.0", shares());
}

}  // namespace warpgrade::grader::class_book::rules_test
