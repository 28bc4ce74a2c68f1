// SPDX-License-Identifier: Apache-2.0
// The shipped pictures of accesses; expected cells are calculated by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/compile/compiler.h"
#include "grader/course/course.h"
#include "grader/study/access_picture.h"
#include "grader/study/run_study.h"
#include "grader/study/study_reader.h"

namespace warpgrade::grader::access_pictures_test {

using testing::ElementsAre;

constexpr study::AccessKey kThread = study::AccessKey::kThread;
constexpr study::AccessKey kBlock = study::AccessKey::kBlock;
constexpr study::AccessKey kStep = study::AccessKey::kStep;
constexpr study::AccessKey kBank = study::AccessKey::kBank;

// The shipped study, run by compiler and simulator; `study` must outlive the result.
study::Result run_shipped(const study::Study& study) {
  cases::Compilations compilations(compile::compile, 1);
  study::Benches benches;
  return study::run_study(
      study, {&compilations,
              [&](const study::Device& device) -> measure::SimBench& { return benches(device); },
              {}});
}

study::Study shipped(const std::string& name) {
  return study::read_study(study::find_study(course::find_root(), name),
                           "studies/" + name + ".toml");
}

std::vector<std::uint64_t> values(const study::AccessResult& result, study::AccessKey key) {
  std::vector<std::uint64_t> out;
  for (const auto& cell : result.cells) out.push_back(cell ? cell->value(key) : 99);
  return out;
}

TEST(AccessPictures, AWarpOfTwoGoesAlongRowsOrDownColumns) {
  const auto study = shipped("warp_of_two");
  const auto result = run_shipped(study);
  ASSERT_EQ(2u, result.accesses.size());
  EXPECT_THAT(values(result.accesses[0], kThread),
              ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_THAT(values(result.accesses[0], kStep),
              ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8));
  EXPECT_THAT(values(result.accesses[1], kThread),
              ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(values(result.accesses[1], kStep),
              ElementsAre(1, 3, 5, 7, 1, 3, 5, 7, 2, 4, 6, 8, 2, 4, 6, 8));
}

// Word c of row r is at `pitch` * r + c in the tile. There are 32 banks of 4 bytes.
TEST(AccessPictures, ATilesBanksWithAndWithoutPadding) {
  const auto study = shipped("tile_banks");
  const auto result = run_shipped(study);
  ASSERT_EQ(3u, result.accesses.size());
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& picture = result.accesses[i];
    const std::uint64_t pitch = i == 1 ? 33 : 32;
    ASSERT_EQ(8 * pitch, picture.cells.size());
    for (std::uint64_t row = 0; row < 8; ++row) {
      for (std::uint64_t column = 0; column < 32; ++column) {
        const auto& cell = picture.cells[row * pitch + column];
        ASSERT_TRUE(cell);
        EXPECT_EQ((pitch * row + column) % 32, cell->value(kBank));
        // The swizzle keeps column 0 of row r at r.
        EXPECT_EQ(column == (i == 2 ? row : 0), cell->framed);
      }
    }
  }
  EXPECT_FALSE(result.accesses[1].cells[32]);  // the padding, which no lane reads
  EXPECT_EQ(32u, result.accesses[0].framed_wavefronts);
  EXPECT_EQ(1u, result.accesses[1].framed_wavefronts);
  EXPECT_EQ(1u, result.accesses[2].framed_wavefronts);
  EXPECT_EQ("float tile[32][32]: 32 wavefronts on h200", study::access_title(result.accesses[0]));
  EXPECT_EQ("float tile[32][33]: 1 wavefront on h200", study::access_title(result.accesses[1]));
}

TEST(AccessPictures, CoarseningsStrides) {
  const auto study = shipped("strides");
  const auto result = run_shipped(study);
  ASSERT_EQ(4u, result.accesses.size());
  const auto& blocks = [&](std::size_t i) { return values(result.accesses[i], kBlock); };
  const auto& threads = [&](std::size_t i) { return values(result.accesses[i], kThread); };
  const auto& steps = [&](std::size_t i) { return values(result.accesses[i], kStep); };
  for (const auto i : {0, 1, 2}) {
    EXPECT_THAT(blocks(i), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
  }
  EXPECT_THAT(threads(0), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(threads(1), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_THAT(steps(1), ElementsAre(1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2));
  EXPECT_THAT(threads(2), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(steps(2), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2));
  EXPECT_THAT(blocks(3), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(threads(3), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(steps(3), ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2));
}

}  // namespace warpgrade::grader::access_pictures_test
