// SPDX-License-Identifier: Apache-2.0
// class.toml: its settings, and mistakes with their places.
#include "grader/class/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/error.h"
#include "common/base/toml_text.h"

namespace warpgrade::grader::class_book::rules_test {

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
  EXPECT_FALSE(rules.roster.has_value());
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
  EXPECT_EQ(0.0, share(kDeadline + 600));
  EXPECT_EQ(0.1, share(kDeadline + 601));
  // The grace period applies to each day, not only to the deadline.
  EXPECT_EQ(0.1, share(kDeadline + kDay + 600));
  EXPECT_EQ(0.2, share(kDeadline + kDay + 601));
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
  const auto roster = read().roster.value_or(std::vector<Enrolled>());
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

TEST(StudentName, HasNoSlashAndNoControlCharacters) {
  EXPECT_TRUE(is_student_name("Zoë 12"));
  for (const auto* name : {"", ".", "..", "a/b", "a\nb", "\xff"}) {
    EXPECT_FALSE(is_student_name(name)) << name;
  }
}

}  // namespace warpgrade::grader::class_book::rules_test
