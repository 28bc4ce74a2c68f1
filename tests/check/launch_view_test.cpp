// SPDX-License-Identifier: Apache-2.0
#include "common/check/launch_view.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "common/ptx/module.h"
#include "tests/check/events.h"

namespace warpgrade::check::launch_view_test {

// Lines in loops, in unrolled loops, and outside loops.

// Whether the line of the first store in `body` is repeated.
bool first_store_is_repeated(const std::string& body) {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.visible .entry k() {\n"
      ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n" +
          body + " ret; }\n",
      "k.cu");
  const auto& function = *ptx::find_function(module, "k");
  std::uint32_t store = 0;
  while (function.instructions[store].opcode != ptx::Opcode::st) ++store;
  return RepeatedLines(function).is_repeated(store);
}

TEST(RepeatedLines, OneStoreOutsideOfLoopsIsNot) {
  EXPECT_FALSE(first_store_is_repeated(".loc 1 7 1\nst.shared.u32 [%r1], %r2;"));
  EXPECT_FALSE(first_store_is_repeated(
      ".loc 1 7 1\nst.shared.u32 [%r1], %r2;\n.loc 1 8 1\nst.shared.u32 [%r1], %r3;"));
}

TEST(RepeatedLines, ALoopRepeatsItsLinesAndNoOthers) {
  EXPECT_TRUE(
      first_store_is_repeated("again:\n.loc 1 7 1\nst.shared.u32 [%r1], %r2;\n@%p1 bra again;"));
  EXPECT_FALSE(first_store_is_repeated(
      ".loc 1 6 1\nst.shared.u32 [%r1], %r2;\nagain:\n.loc 1 7 1\nadd.u32 %r2, %r2, 1;\n"
      "@%p1 bra again;"));
}

TEST(RepeatedLines, SeveralStoresOfALineAreAnUnrolledLoop) {
  EXPECT_TRUE(first_store_is_repeated(
      ".loc 1 7 1\nst.shared.u32 [%r1], %r2;\n.loc 1 7 9\nst.shared.u32 [%r1+4], %r3;"));
}

// Facts of a launch: lines, threads, blocks, bytes of variables, elements of buffers.

class LaunchViewTest : public testing::Test {
 protected:
  void SetUp() override { view.begin_launch(launch.context()); }

  Launch launch{{64, 2, 1}, {4, 2, 1}};
  LaunchView view;
};

TEST_F(LaunchViewTest, ThreadsAndBlocksAreTriples) {
  EXPECT_EQ((base::Dim3{5, 1, 0}), view.thread(2, 5));
  EXPECT_EQ((base::Dim3{33, 0, 0}), view.thread(1, 1));
  EXPECT_EQ((base::Dim3{1, 1, 0}), view.block_index(5, 0));
}

TEST_F(LaunchViewTest, ABufferIsFoundByEveryByteOfItAndNoOther) {
  EXPECT_EQ(0U, view.buffer_at(kIn, 1));
  EXPECT_EQ(1U, view.buffer_at(kOut + 1020, 4));
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_at(kOut + 1021, 4));
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_at(kIn - 1, 1));
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_at(kIn, ~std::uint64_t{0}));
}

TEST_F(LaunchViewTest, AWarpsAccessLiesInOneBufferOnlyWithAStride) {
  std::uint64_t address[run::kWarpSize];
  run::MemoryEvent event;
  event.address = address;
  event.bytes = 4;
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) address[lane] = kOut + 124 - 4 * lane;
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_of(event));
  event.stride = -4;
  EXPECT_EQ(1U, view.buffer_of(event));
}

TEST_F(LaunchViewTest, PlacesInMemoryAreNamed) {
  EXPECT_EQ("bytes 4 to 7 of tile", text(view.shared_place(4, 4, 0)));
  EXPECT_EQ("byte 0 of partial", text(view.shared_place(1024, 1, 0)));
  EXPECT_EQ("bytes 4096 to 4099 of shared memory", text(view.shared_place(4096, 4, 0)));
  EXPECT_EQ("out[5]", text(view.global_place(kOut + 20, 4)));
  EXPECT_EQ("4 bytes at 0x50000", text(view.global_place(0x50000, 4)));
}

TEST_F(LaunchViewTest, VariablesOfTheModuleAreNamedToo) {
  launch.context().global_variables = {{"_ZN3lab5countE", 0x90000, 4}, {"table", 0xa0000, 64}};
  view.begin_launch(launch.context());
  EXPECT_EQ("bytes 8 to 11 of table", text(view.global_place(0xa0008, 4)));
  EXPECT_NE(std::string::npos, text(view.global_place(0x90000, 4)).find("count"));
  EXPECT_TRUE(view.is_shared_by_threads(0xa0008, 4));
  EXPECT_TRUE(view.is_shared_by_threads(kOut, 4));
  EXPECT_FALSE(view.is_shared_by_threads(kIn, 4));
  EXPECT_FALSE(view.is_shared_by_threads(0xb0000, 4));
}

TEST_F(LaunchViewTest, LinesAreToldAsSeenFromAnotherPlace) {
  EXPECT_EQ("line 12", text(view.line(2, 5)));
  EXPECT_EQ("between line 12 and line 15", text(view.between(2, 5)));
  EXPECT_EQ("between two iterations of line 12", text(view.between(2, 2)));
  EXPECT_EQ("between line 12 and line 15", text(view.between(5, 2)));
  launch.function().locations[3] = {"tile.h", 7, 1};  // of instruction 2
  launch.function().locations[4] = {};                // of instruction 3
  view.begin_launch(launch.context());
  EXPECT_EQ("line 7 of tile.h", text(view.line(2, 5)));
  EXPECT_EQ("PTX line 103", text(view.line(3, 5)));
}

TEST_F(LaunchViewTest, InstructionsOfOneLineShareANumber) {
  launch.function().instructions[7].location = launch.function().instructions[6].location;
  view.begin_launch(launch.context());
  EXPECT_EQ(view.line_number(6), view.line_number(7));
  EXPECT_NE(view.line_number(6), view.line_number(8));
}

TEST_F(LaunchViewTest, MomentsGoOnWithEvents) {
  view.begin_block(3);
  view.count_event();
  view.count_event();
  EXPECT_EQ((Moment{3, 2, 4}), view.moment(4));
  view.skip_to(9);
  EXPECT_EQ((Moment{3, 9, 0}), view.moment());
}

TEST_F(LaunchViewTest, ItMayBeUsedAfterTheLaunch) {
  LaunchView copy;
  {
    const Launch other;
    copy.begin_launch(other.context());
  }
  const auto told = copy.diagnostic(base::DiagnosticKind::kRace, 2, 5, 0, 3, {});
  EXPECT_EQ(12U, told.where.line);
  EXPECT_EQ((base::Dim3{1, 1, 0}), told.block);
  EXPECT_EQ((base::Dim3{3, 0, 0}), told.thread);
}

// Tests the work that the base class does for every checker, with a checker that handles only
// stores.

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

}  // namespace warpgrade::check::launch_view_test
