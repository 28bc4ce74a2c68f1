// SPDX-License-Identifier: Apache-2.0
#include "grader/class/near_copies.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "grader/class/book.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::near_copies_test {
namespace {

constexpr const char* kOdd = R"(
__global__ void copy(float* out, const float* in, int width, int height) {
  int left = width * height, at = blockIdx.x * 32 + threadIdx.x;
  while (left > 0 && at < height) {
    for (int step = 3; step < width - 7; step += 5) out[at * width + step] = in[step + at * width] / 1.0f;
    if (left % 11 == 4) { left = left - 13; } else { left -= 1 + at; }
    at += blockDim.x * gridDim.x;
  }
}
)";

std::string with(std::string text, const std::string& old, const std::string& now) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size())) {
    text.replace(at, old.size(), now);
  }
  return text;
}

// Sources that share nothing: all their numbers differ.
std::string other(int number) {
  std::string out = "__global__ void k(float* p) {\n";
  for (int i = 0; i < 30; ++i) {
    out += "p[" + std::to_string(1000 * number + i) + "] *= " + std::to_string(i) + " - p[1];\n";
  }
  return out + "}\n";
}

TEST(Fingerprints, NamesCommentsAndSpaceChangeNothing) {
  auto renamed = with(with(with(kOdd, "left", "rest"), "step", "i"), "\n", "\n  // a word\n\n");
  const auto a = fingerprints_of(kOdd);
  const auto b = fingerprints_of(renamed);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].hash, b[i].hash);
}

// The guarantee of winnowing: a shared part of kRun + kWindow - 1 tokens has a fingerprint.
TEST(Fingerprints, APartThatIsLongEnoughIsFoundWhereverItStands) {
  std::string part;
  for (std::size_t i = 0; i < kFingerprintRun + kFingerprintWindow - 1; ++i) {
    part += std::to_string(i * 7919) + " ";
  }
  std::string before;
  for (int i = 0; i < 20; ++i) {
    before += std::to_string(i + 100) + " ";
    const auto a = fingerprints_of(part + " 1 2 3 4 5 6 7 8 9");
    const auto b = fingerprints_of(before + part);
    const bool found = std::any_of(a.begin(), a.end(), [&](const Fingerprint& one) {
      return std::any_of(b.begin(), b.end(),
                         [&](const Fingerprint& two) { return one.hash == two.hash; });
    });
    EXPECT_TRUE(found) << i;
  }
}

TEST(Fingerprints, LinesAreThoseOfTheSource) {
  const auto all = fingerprints_of("\n\n1 2 3 4 5 6 7 8 9 10");  // one run of ten tokens
  ASSERT_EQ(1U, all.size());
  EXPECT_EQ(3U, all[0].line);
}

TEST(Fingerprints, AShortOrEmptySourceHasNone) {
  EXPECT_TRUE(fingerprints_of("").empty());
  EXPECT_TRUE(fingerprints_of("1 2 3 4 5 6 7 8 9").empty());
}

TEST(SimilarPairs, ARenamedCopyIsFoundAmongOthers) {
  const auto pairs = similar_pairs({other(1), kOdd, other(2), with(kOdd, "left", "remaining")}, {});
  ASSERT_EQ(1U, pairs.size());
  EXPECT_EQ(1U, pairs[0].first);
  EXPECT_EQ(3U, pairs[0].second);
  EXPECT_DOUBLE_EQ(1, pairs[0].share);
}

TEST(SimilarPairs, WhatEverybodyWasGivenIsNobodysOwn) {
  EXPECT_TRUE(similar_pairs({kOdd, kOdd}, {kOdd}).empty());
}

TEST(SimilarPairs, WhatManyHaveSaysNothing) {
  std::vector<std::string> sources(11, kOdd);
  EXPECT_TRUE(similar_pairs(sources, {}).empty());
  sources.pop_back();
  EXPECT_EQ(45U, similar_pairs(sources, {}).size());
}

TEST(SimilarPairs, HalfOfItIsNotEnough) {
  EXPECT_TRUE(similar_pairs({kOdd + other(1) + other(2), kOdd + other(3) + other(4)}, {}).empty());
}

using testing::ElementsAre;
using testing::HasSubstr;

std::string kernel_of(int number, const char* name) {
  std::string out = "__global__ void copy(float* out) {\n";
  for (int i = 0; i < 20; ++i) {
    out += fmt::format("  float {}{} = out[{}] / {} - {};\n", name, i, 100 * number + i, i,
                       7 * number);
  }
  return out + "}\n";
}

class ClassSimilarTest : public testing::Test {
 protected:
  ClassSimilarTest() {
    course_.root = folder_.path();
    auto& lab = course_.labs.emplace_back();
    lab.id = "lab";
    lab.folder = course_.root / "labs/lab";
    lab.exercises.emplace_back().id = "copy";
    std::filesystem::create_directories(lab.folder);
    std::ofstream(lab.folder / "copy.cu") << kernel_of(9, "given");
    book_.database().run(
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm')");
  }

  void hand_in(const std::string& student, const std::string& text) {
    Statement put(book_.database(),
                  "INSERT INTO student (student, name, in_roster) VALUES (:student, '', 1)");
    put.bind(":student", student).run();
    const auto bundle = bundle_of({{"copy.cu", text}});
    Statement file(book_.database(),
                   "INSERT OR IGNORE INTO bundle_file VALUES (:bundle, 0, 'copy.cu', :bytes)");
    file.bind(":bundle", bundle).bind_bytes(":bytes", text).run();
    Statement attempt(
        book_.database(),
        "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
        "source, seen_at) VALUES (:student, 'lab', 'copy', :bundle, 's', 't', 0, 'f', 't')");
    attempt.bind(":student", student).bind(":bundle", bundle).run();
  }

  compile::TemporaryFolder folder_;
  course::Course course_;
  Book book_{folder_.path() / "book.db"};
};

TEST_F(ClassSimilarTest, FindsTheRenamedAndTheSameFileAndNotTheGivenOne) {
  hand_in("ada", kernel_of(1, "x"));
  hand_in("bob", kernel_of(1, "renamed"));
  hand_in("cyd", kernel_of(2, "x"));
  hand_in("dan", kernel_of(2, "x"));
  hand_in("eve", kernel_of(3, "x"));
  hand_in("fay", kernel_of(9, "given"));
  hand_in("gil", kernel_of(9, "given"));
  const auto found = near_copies(book_.database(), course_);
  ASSERT_EQ(2U, found.size());
  EXPECT_THAT(found[0].students, ElementsAre("cyd", "dan"));
  EXPECT_TRUE(found[0].other_students.empty());
  EXPECT_THAT(found[1].students, ElementsAre("ada"));
  EXPECT_THAT(found[1].other_students, ElementsAre("bob"));
  EXPECT_DOUBLE_EQ(1, found[1].share);
}

TEST(SimilarCsv, HasALineForEachPair) {
  const auto text = similar_csv({{"lab/copy", {"=ada", "bob"}, {"cyd"}, 0.875, 9, 3, 5}});
  EXPECT_THAT(text, HasSubstr("exercise,students,other_students,share,shared,line,other_line\r\n"));
  EXPECT_THAT(text, HasSubstr("lab/copy,'=ada bob,cyd,0.88,9,3,5\r\n"));
}

}  // namespace

}  // namespace warpgrade::grader::class_book::near_copies_test
