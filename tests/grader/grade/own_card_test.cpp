// SPDX-License-Identifier: Apache-2.0
// The answers for a student's own card, calculated by hand.
#include "grader/grade/own_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::grade::own_card_test {

using testing::ElementsAre;
using testing::IsEmpty;

course::Question asked_of(std::string device, course::QuestionRule rule) {
  course::Question out;
  out.device = std::move(device);
  out.rule = rule;
  return out;
}

course::Question factor_on(std::string device, course::CoarseningLevel level) {
  return asked_of(std::move(device), course::CoarseningFactor{level, {512, 16, 2048}});
}

course::Question strides_on(std::string device) {
  return asked_of(std::move(device), course::SharedWavefronts{4, 4});
}

// A T4 has 1024 threads, 16 blocks and 64 KB per SM. Factor 8 leaves 16 blocks of 64 threads;
// factor 16 would need 32 blocks. At block level, two blocks of 16 times 2048 bytes fill the 64 KB.
TEST(OwnCard, GetsTheFactorsOfItsOwnLimits) {
  EXPECT_THAT(answers_on({factor_on("k40", course::CoarseningLevel::kThread),
                          factor_on("k40", course::CoarseningLevel::kBlock)},
                         "t4"),
              ElementsAre("On t4 the best factor at thread level is 8: 16 blocks of 64 threads and "
                          "2048 bytes fit on a multiprocessor, 1024 active threads.",
                          "On t4 the best factor at block level is 16: 2 blocks of 512 threads and "
                          "32768 bytes fit on a multiprocessor, 1024 active threads."));
}

TEST(OwnCard, IsToldOnceWhatIsAskedOfSeveral) {
  EXPECT_THAT(answers_on({strides_on("k40"), strides_on("h200")}, "t4"),
              ElementsAre("On t4 words of 4 bytes at strides 1 to 4 take 1, 2, 1, 4 wavefronts."));
}

TEST(OwnCard, IsNotToldWhatTheExerciseAsksOfIt) {
  EXPECT_THAT(answers_on({strides_on("k40"), strides_on("h200")}, "h200"), IsEmpty());
}

// 32 KB and the reserved 1 KB fit into 100 KB three times.
TEST(OwnCard, GetsItsResidentWarps) {
  const course::BlockNeeds block{64, 32, 32768};
  const auto warps = asked_of("h200", course::LittlesLaw{course::InFlight::kWarps, block});
  const auto bytes = asked_of("h200", course::LittlesLaw{course::InFlight::kBytes, block});
  EXPECT_THAT(answers_on({bytes, warps}, "rtx4060"),
              ElementsAre("On rtx4060 6 warps of such blocks are resident on a multiprocessor."));
}

TEST(OwnCard, WhoseBanksAreNotExplainedIsToldNothingOfThem) {
  EXPECT_THAT(answers_on({strides_on("k40")}, "g80"), IsEmpty());
}

}  // namespace warpgrade::grader::grade::own_card_test
