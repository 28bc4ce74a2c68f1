// SPDX-License-Identifier: Apache-2.0
// Instructions of a whole warp: shuffles, votes, matches and reductions, and the events that
// observers get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::warp_test {

using base::DiagnosticKind;
using testing::Each;

TEST(Shuffles, DownReadsAHigherLaneAndKeepsItsOwnPastTheEnd) {
  const auto run = run_body(
      "shfl.sync.down.b32 %r5|%p2, %r29, 16, 31, -1; selp.u32 %r6, 256, 0, %p2;"
      "add.u32 %r5, %r5, %r6; cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;");
  EXPECT_EQ(256U + 16U, run.out[0]);
  EXPECT_EQ(256U + 31U, run.out[15]);
  EXPECT_EQ(16U, run.out[16]);
}

TEST(Shuffles, SegmentsOfEightStayApart) {
  // Width 8 gives c = (32 - 8) << 8 | 31.
  const auto run = run_body(
      "shfl.sync.bfly.b32 %r5, %r29, 7, 0x181f, -1; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;");
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(i ^ 7, run.out[i]);
}

TEST(Votes, BallotNamesTheLanes) {
  const auto run = run_body(
      "setp.lt.u32 %p1, %r29, 4; vote.sync.ballot.b32 %r5, %p1, -1; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;");
  EXPECT_THAT(run.out, Each(0xfU));
}

class Scopes final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Scopes>(); }
  void join(run::Observer& other) override { seen = dynamic_cast<Scopes&>(other).seen; }
  void on_barrier(const run::BarrierEvent& event) override { seen.push_back(event.scope); }

  std::vector<run::BarrierEvent::Scope> seen;
};

std::vector<run::BarrierEvent::Scope> scopes_of(const std::string& body) {
  Scopes scopes;
  PtxLaunch launch;
  launch.before = ".file 2 \"<header.h>\"\n";
  launch.body = body;
  launch.options.observers.push_back(&scopes);
  run_ptx(launch);
  return scopes.seen;
}

// The CUDA C++ Programming Guide, on shuffles, votes, matches and reductions: "These intrinsics do
// not imply a memory barrier. They do not guarantee any memory ordering." The PTX ISA, on
// bar.warp.sync: it "also guarantees memory ordering among threads participating in the barrier".
TEST(Observers, AreToldOfTheWarpInstructionThatOrdersMemory) {
  EXPECT_THAT(scopes_of("setp.lt.u32 %p1, %r29, 4; shfl.sync.idx.b32 %r1, %r29, 0, 31, -1;"
                        "vote.sync.ballot.b32 %r2, %p1, -1; match.any.sync.b32 %r3, %r29, -1;"
                        "redux.sync.add.u32 %r4, %r29, -1;"),
              testing::IsEmpty());
  EXPECT_THAT(scopes_of("bar.warp.sync -1;"),
              testing::ElementsAre(run::BarrierEvent::Scope::kWarp));
}

// Cooperative groups rely on the order that these shuffles give.
TEST(Observers, AreToldOfShufflesInTheToolkitsOwnCode) {
  EXPECT_THAT(scopes_of("\n.loc 2 7 1\nshfl.sync.idx.b32 %r1, %r29, 0, 31, -1;"),
              testing::ElementsAre(run::BarrierEvent::Scope::kWarp));
}

TEST(Shuffles, ModesReadTheLaneThatTheManualNames) {
  const auto up = words("shfl.sync.up.b32 %r4, %r29, 3, 0, -1;");
  const auto index = words("shfl.sync.idx.b32 %r4, %r29, 9, 0x181f, -1;");  // segments of 8
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(lane < 3 ? lane : lane - 3, up[lane]);
    EXPECT_EQ((lane & 24) + 1, index[lane]);
  }
}

TEST(Shuffles, TheResultMayReplaceTheSource) {
  const auto out = words("mov.u32 %r4, %r29; shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(lane ^ 1, out[lane]);
}

TEST(Shuffles, LanesOutsideTheMaskKeepTheirRegister) {
  const auto out = words(
      "mov.u32 %r4, 77; setp.ge.u32 %p3, %r29, 16; @%p3 bra $end;"
      "shfl.sync.bfly.b32 %r4, %r29, 1, 31, 0xffff; $end:");
  EXPECT_EQ(14U, out[15]);
  EXPECT_EQ(77U, out[16]);
}

TEST(Votes, OfAPartCountThatPartOnly) {
  // Lanes 0 to 7 vote, and lanes 0 to 3 vote yes.
  const auto vote = [](const std::string& kind) {
    return words(
        "mov.u32 %r4, 9; setp.lt.u32 %p3, %r29, 4; setp.ge.u32 %p4, %r29, 8;"
        "@%p4 bra $end; vote.sync." +
        kind +
        ".pred %p5, %p3, 0xff;"
        "selp.u32 %r4, 1, 0, %p5; $end:");
  };
  EXPECT_EQ(0U, vote("all")[0]);
  EXPECT_EQ(1U, vote("any")[7]);
  EXPECT_EQ(0U, vote("uni")[0]);
  EXPECT_EQ(9U, vote("any")[8]);
}

TEST(Matches, NameTheLanesWithTheSameValue) {
  const auto any = words("and.b32 %r5, %r29, 1; match.any.sync.b32 %r4, %r5, -1;");
  EXPECT_EQ(0x55555555U, any[0]);
  EXPECT_EQ(0xaaaaaaaaU, any[31]);
  EXPECT_EQ(0U, word("match.all.sync.b32 %r4|%p3, %r29, -1;"));
  EXPECT_EQ(0xffffffffU, word("mov.u64 %rd5, 3; match.all.sync.b64 %r4|%p3, %rd5, -1;"));
}

TEST(Reductions, KnowSignedFromUnsigned) {
  const std::string values = "sub.u32 %r5, %r29, 1;";  // -1 to 30
  EXPECT_EQ(0xffffffffU, word(values + "redux.sync.min.s32 %r4, %r5, -1;"));
  EXPECT_EQ(0U, word(values + "redux.sync.min.u32 %r4, %r5, -1;"));
  EXPECT_EQ(30U, word(values + "redux.sync.max.s32 %r4, %r5, -1;"));
  EXPECT_EQ(464U, word(values + "redux.sync.add.s32 %r4, %r5, -1;"));  // 465 - 1
  EXPECT_EQ(0U, word("redux.sync.xor.b32 %r4, 5, -1;"));
}

TEST(Reductions, GroupsOfOneInstructionHaveTheirOwnResults) {
  const auto out = words(
      "setp.lt.u32 %p3, %r29, 16; selp.u32 %r6, 0xffff, 0xffff0000, %p3;"
      "redux.sync.add.u32 %r4, %r29, %r6;");
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(lane < 16 ? 120U : 376U, out[lane]);
}

TEST(Elections, TheLowestLaneOfTheMaskLeads) {
  const auto out = words(
      "mov.u32 %r4, 99; setp.lt.u32 %p3, %r29, 4; @%p3 bra $end;"
      "elect.sync %r5|%p4, 0xfffffff0; selp.u32 %r6, 100, 0, %p4; add.u32 %r4, %r5, %r6; $end:");
  EXPECT_EQ(99U, out[3]);
  EXPECT_EQ(104U, out[4]);
  EXPECT_EQ(4U, out[31]);
}

TEST(Masks, ThatLeaveOutTheLaneItselfAreDivergent) {
  expect_fault(DiagnosticKind::kDivergentBarrier, "does not name lane 0 itself",
               run_body("bar.warp.sync 0xfffffffe;"));
}

TEST(Masks, ThatNameLanesWhichNeverComeAreADeadlock) {
  // The other lanes wait at a barrier of the block, which never opens, either.
  expect_fault(DiagnosticKind::kDeadlock, "",
               run_body("setp.lt.u32 %p1, %r29, 8; @%p1 bra $a; bar.sync 0; bra $end;"
                        "$a: bar.warp.sync -1; $end:"));
}

TEST(Masks, LanesOfDivergentBranchesMeetAtTheSameInstruction) {
  const auto out = words(
      "setp.lt.u32 %p3, %r29, 8; @%p3 bra $a; mov.u32 %r5, 1; bra $join; $a: mov.u32 %r5, 2;"
      "$join: redux.sync.add.u32 %r4, %r5, -1;");
  EXPECT_THAT(out, Each(24U + 16U));
}

// Lanes below 16 execute `low`, the others `high`; each stores %r4.
PtxLaunch in_two_branches(const std::string& low, const std::string& high) {
  PtxLaunch launch;
  launch.body =
      "setp.lt.u32 %p3, %r29, 16; setp.ge.u32 %p4, %r29, 8; mov.u32 %r4, 0;"
      "mul.lo.u32 %r6, %r29, 2; @%p3 bra $low;" +
      high + "bra $join; $low:" + low + "$join: cvt.u64.u32 %rd5, %r4; st.global.u64 [%rd1], %rd5;";
  return launch;
}

TEST(Meetings, OfShufflesInTwoBranchesExchangeTheValuesOfBoth) {
  const auto run = run_ptx(in_two_branches("shfl.sync.bfly.b32 %r4, %r29, 16, 31, -1;",
                                           "shfl.sync.bfly.b32 %r4, %r6, 16, 31, -1;"));
  expect_clean(run);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(i < 16 ? 2 * (i + 16) : i - 16, run.out[i]);
}

TEST(Meetings, OfVotesMatchesAndReductionsKnowAllLanes) {
  const auto all = [](const std::string& low, const std::string& high) {
    const auto run = run_ptx(in_two_branches(low, high));
    expect_clean(run);
    return run.out;
  };
  // Lanes 8 to 15 of one branch, and 16 to 31 of the other.
  EXPECT_THAT(all("vote.sync.ballot.b32 %r4, %p4, -1;", "vote.sync.ballot.b32 %r4, %p4, -1;"),
              Each(0xffffff00U));
  EXPECT_THAT(all("vote.sync.any.pred %p1, %p3, -1; selp.u32 %r4, 1, 0, %p1;",
                  "vote.sync.any.pred %p2, %p3, -1; selp.u32 %r4, 1, 0, %p2;"),
              Each(1U));
  EXPECT_THAT(all("vote.sync.all.pred %p1, %p3, -1; selp.u32 %r4, 1, 2, %p1;",
                  "vote.sync.all.pred %p2, %p3, -1; selp.u32 %r4, 1, 2, %p2;"),
              Each(2U));
  // 0 + ... + 15, and 2 * (16 + ... + 31).
  EXPECT_THAT(all("redux.sync.add.u32 %r4, %r29, -1;", "redux.sync.add.u32 %r4, %r6, -1;"),
              Each(120U + 752U));
  EXPECT_THAT(all("mov.u64 %rd6, 5; match.any.sync.b64 %r4, %rd6, -1;",
                  "mov.u64 %rd7, 5; match.any.sync.b64 %r4, %rd7, -1;"),
              Each(0xffffffffU));
}

TEST(Meetings, OfBarriersOfAWarpEnd) {
  const auto run = run_ptx(
      in_two_branches("bar.warp.sync -1; mov.u32 %r4, 1;", "mov.u32 %r4, 2; bar.warp.sync -1;"));
  expect_clean(run);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(i < 16 ? 1U : 2U, run.out[i]);
}

TEST(Meetings, HappenUnderEverySeedAndInAnyNumber) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto launch = in_two_branches(
        "shfl.sync.idx.b32 %r4, %r29, 31, 31, -1; shfl.sync.idx.b32 %r4, %r4, 0, 31, -1;",
        "shfl.sync.idx.b32 %r4, %r6, 31, 31, -1; shfl.sync.idx.b32 %r4, %r4, 0, 31, -1;");
    launch.options.seed = seed;
    const auto run = run_ptx(launch);
    expect_clean(run);
    EXPECT_THAT(run.out, Each(62U));  // 2 * 31
  }
}

TEST(Meetings, OfOtherKindsOrMasksAreADeadlock) {
  const std::string shuffle = "shfl.sync.bfly.b32 %r4, %r29, 16, 31, -1; bar.sync 0;";
  for (const auto* other :
       {"vote.sync.ballot.b32 %r4, %p4, -1; bar.sync 0;",
        "shfl.sync.down.b32 %r4, %r29, 16, 31, -1; bar.sync 0;", "bar.warp.sync -1; bar.sync 0;",
        "shfl.sync.bfly.b32 %r4, %r29, 16, 31, 0xfffffffe; bar.sync 0;"}) {
    expect_fault(DiagnosticKind::kDeadlock, "", run_ptx(in_two_branches(shuffle, other)));
  }
}

TEST(Meetings, AreNoneBeforeVolta) {
  for (const auto* text : {"shfl.sync.bfly.b32 %r4, %r29, 16, 31, -1;", "bar.warp.sync -1;",
                           "vote.sync.ballot.b32 %r4, %p4, -1;"}) {
    auto launch =
        in_two_branches(std::string(text) + "bar.sync 0;", std::string(text) + "bar.sync 0;");
    launch.options.independent_lanes = false;
    expect_fault(DiagnosticKind::kDeadlock, "", run_ptx(launch));
  }
}

}  // namespace warpgrade::sim::warp_test
