// SPDX-License-Identifier: Apache-2.0
// Tests the work that the base class does for every checker, with a checker that handles only
// stores.
#include "common/check/checker.h"

#include <gtest/gtest.h>

#include <tuple>

#include "common/check/checks.h"
#include "tests/check/events.h"

namespace warpgrade::check::checker_test {

// Reports every store as a finding.
class Stores final : public Checker<Stores> {
 public:
  std::vector<std::uint64_t> blocks_ended;

 private:
  friend Checker<Stores>;
  void memory(const run::MemoryEvent& event) {
    if (event.operation != run::Operation::kStore) return;
    const auto line = view_.line_number(event.instruction);
    findings_.add({base::DiagnosticKind::kTrap, line, line}, view_.moment(), 1, [&] {
      return view_.diagnostic(base::DiagnosticKind::kTrap, event.instruction, view_.block(),
                              event.warp, 0, {});
    });
  }
  void end_block() { blocks_ended.push_back(view_.block()); }
};

class CheckerTest : public testing::Test {
 protected:
  CheckerTest() { checker_.on_launch(launch_.context()); }
  static void store(run::Observer& checker, std::uint64_t block, std::uint32_t instruction = 0) {
    checker.on_block_begin(block);
    Warp(checker).store(instruction, strided(0, 4));
    checker.on_block_end();
  }

  Launch launch_;
  Stores checker_;
};

TEST_F(CheckerTest, KnowsTheBlockAndCountsEveryEvent) {
  checker_.on_block_begin(3);
  sync_block(checker_);
  checker_.on_order({});
  checker_.on_copy({});
  Warp(checker_).load(0, strided(0, 4));
  Warp(checker_).store(1, strided(0, 4));
  checker_.on_block_end();
  ASSERT_EQ(1u, checker_.findings().all().size());
  EXPECT_EQ((Moment{3, 5, 0}), checker_.findings().all()[0].moment);
  EXPECT_EQ(std::vector<std::uint64_t>{3}, checker_.blocks_ended);
}

TEST_F(CheckerTest, MayBeToldHowManyEventsHaveBeen) {
  checker_.on_block_begin(0);
  checker_.skip_to(41);
  Warp(checker_).store(1, strided(0, 4));
  EXPECT_EQ((Moment{0, 42, 0}), checker_.findings().all().at(0).moment);
}

TEST_F(CheckerTest, ForksStartWithNothingAndAreJoined) {
  store(checker_, 4);
  const auto fork = checker_.fork();
  fork->on_launch(launch_.context());
  EXPECT_TRUE(dynamic_cast<Stores&>(*fork).findings().all().empty());
  store(*fork, 1);
  store(*fork, 2, 7);
  checker_.join(*fork);
  const auto& all = checker_.findings().all();
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ(2u, all[0].count);
  EXPECT_EQ((base::Dim3{1, 0, 0}), all[0].diagnostic.block);
  EXPECT_EQ(17u, all[1].diagnostic.where.line);
}

TEST_F(CheckerTest, ALaunchStartsAfresh) {
  store(checker_, 0);
  checker_.on_launch(launch_.context());
  EXPECT_TRUE(checker_.findings().all().empty());
}

// Runs with every checker of Checks.
template <typename T>
class EveryChecker : public testing::Test {};
template <typename List>
struct TypesOf;
template <typename... Each>
struct TypesOf<std::tuple<Each...>> {
  using All = testing::Types<Each...>;
};
TYPED_TEST_SUITE(EveryChecker, TypesOf<Checks::Checkers>::All);

TYPED_TEST(EveryChecker, FindsNothingInALaunchWithoutAccesses) {
  Launch launch;
  TypeParam checker;
  const auto fork = checker.fork();
  ASSERT_NE(nullptr, dynamic_cast<TypeParam*>(fork.get()));
  for (run::Observer* observer : {static_cast<run::Observer*>(&checker), fork.get()}) {
    observer->on_launch(launch.context());
    observer->on_block_begin(0);
    sync_block(*observer);
    observer->on_block_end();
  }
  checker.join(*fork);
  // Some checkers hide this function with their own, which may need an argument.
  const Checker<TypeParam>& every = checker;
  EXPECT_TRUE(every.findings().all().empty());
}

}  // namespace warpgrade::check::checker_test
