// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::control_test {

// Branches, returns, traps: the path of each lane, and a warp's reports of fences.

using base::DiagnosticKind;
using testing::Each;

TEST(Trap, EndsTheKernelAndNamesTheThread) {
  const auto run = run_body("setp.eq.u32 %p1, %r29, 5; @%p1 trap;");
  expect_fault(DiagnosticKind::kTrap, "the kernel stopped at a trap: at __trap()", run);
  EXPECT_EQ(5U, run.result.diagnostics[0].thread.value().x);
}

// cooperative_groups.h traps in grid.sync() if the registers hold no address of a workspace.
TEST(Trap, OfTheToolkitInABarrierOfTheGridIsNotTheStudents) {
  PtxLaunch launch;
  launch.before = ".file 7 \"<cooperative_groups/details/sync.h>\"";
  launch.body = "mov.u32 %r1, %envreg1; .loc 7 3 1\n trap;";
  expect_fault(DiagnosticKind::kUnsupported, "needs a cooperative launch", run_ptx(launch));
  launch.body = "mov.u32 %r1, %envreg1; setp.eq.u32 %p1, %r1, 0; @%p1 trap; .loc 7 3 1\n trap;";
  expect_fault(DiagnosticKind::kTrap, "the kernel stopped at a trap", run_ptx(launch));
}

TEST(Breakpoint, IsTheKernelsOwnFaultWhereItIsReached) {
  const auto run = run_body("setp.eq.u32 %p1, %r29, 5; @%p1 brkpt;");
  expect_fault(DiagnosticKind::kTrap, "no debugger is there", run);
  EXPECT_EQ(5U, run.result.diagnostics[0].thread.value().x);
  expect_clean(run_body("setp.eq.u32 %p1, %r29, 99; @%p1 brkpt;"));
}

constexpr const char* kStore = "cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;";

TEST(Branches, ANegatedGuardTakesTheOtherLanes) {
  const auto run =
      run_body("setp.lt.u32 %p1, %r29, 4; mov.u32 %r5, 1; @!%p1 bra $end; mov.u32 %r5, 2; $end:" +
               std::string(kStore));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(i < 4 ? 2U : 1U, run.out[i]);
}

const std::string kTable =
    "$table: .branchtargets $a, $b, $c; brx.idx %r4, $table; $a: mov.u32 %r5, 10; bra $end;"
    "$b: mov.u32 %r5, 11; bra $end; $c: mov.u32 %r5, 12; $end:";

TEST(Branches, AJumpTableLeadsEachLaneToItsOwn) {
  const auto run = run_body("rem.u32 %r4, %r29, 3;" + kTable + kStore);
  expect_clean(run);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(10 + i % 3, run.out[i]);
}

TEST(Branches, AnIndexPastTheJumpTableIsATrap) {
  expect_fault(DiagnosticKind::kTrap, "a jump table's index is past its end",
               run_body("add.u32 %r4, %r29, 0; min.u32 %r4, %r4, 3;" + kTable + kStore));
}

TEST(Branches, ALoopRunsAsOftenAsEachLaneNeeds) {
  const auto run = run_body(
      "mov.u32 %r5, 0; $loop: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r29; @%p1 bra $loop;" +
      std::string(kStore));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(i == 0 ? 1 : i, run.out[i]);
}

TEST(Returns, AGuardedReturnEndsItsLanesOnly) {
  const auto run =
      run_body("mov.u32 %r5, 1; setp.ge.u32 %p1, %r29, 3; @%p1 ret;" + std::string(kStore));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(i < 3 ? 1U : 0U, run.out[i]);
}

TEST(Traps, UnderAGuardThatNoLaneHasDoNothing) {
  const auto run =
      run_body("mov.u32 %r5, 1; setp.ge.u32 %p1, %r29, 99; @%p1 trap;" + std::string(kStore));
  expect_clean(run);
  EXPECT_THAT(run.out, Each(1U));
}

/// Records whether each fence is device-wide.
class Fences final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Fences>(); }
  void join(run::Observer& other) override { seen = dynamic_cast<Fences&>(other).seen; }
  void on_order(const run::OrderEvent& event) override {
    if (event.kind == run::OrderEvent::Kind::kFence) seen.push_back(event.device_wide);
  }
  std::vector<bool> seen;
};

TEST(Fences, TellHowFarTheyReach) {
  Fences fences;
  PtxLaunch launch;
  launch.body = "membar.cta; membar.gl; membar.sys; fence.acq_rel.cta; fence.sc.gpu;";
  launch.options.observers = {&fences};
  expect_clean(run_ptx(launch));
  EXPECT_EQ((std::vector<bool>{false, true, true, false, true}), fences.seen);
}

// Calls in PTX: arguments and results, the lanes that run together, recursion, function pointers,
// the stack.
using testing::HasSubstr;
using testing::IsEmpty;

// Runs `body`, after which each thread stores %rd5.
PtxRun run_body(const std::string& before, const std::string& body, std::uint32_t threads = 32) {
  PtxLaunch launch;
  launch.before = before;
  launch.body = body + "\nst.global.u64 [%rd1], %rd5;";
  launch.threads = threads;
  return run_ptx(launch);
}

// Calls `function` with the 32-bit operand `argument` and writes the 32-bit result to register
// `to`.
std::string call(const std::string& function, const std::string& argument, const std::string& to,
                 const std::string& prototype = {}) {
  return "{ .param .b32 param0; st.param.b32 [param0+0], " + argument +
         "; .param .b32 retval0; call (retval0), " + function + ", (param0)" +
         (prototype.empty() ? "" : ", " + prototype) + "; ld.param.b32 " + to + ", [retval0+0]; }";
}

// .func (.param .b32 r) name(.param .b32 x), whose body gets x in %r1 and leaves r in %r2.
std::string function(const std::string& name, const std::string& body) {
  return ".func (.param .b32 " + name + "_r) " + name + "(.param .b32 " + name +
         "_x) { .reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<10>; ld.param.u32 %r1, [" + name +
         "_x];" + body + " st.param.b32 [" + name + "_r+0], %r2; ret; }\n";
}

const std::string kWiden = " cvt.u64.u32 %rd5, %r5;";

TEST(Calls, PassAnArgumentAndGetTheResult) {
  const auto run =
      run_body(function("twice", "add.u32 %r2, %r1, %r1;"), call("twice", "%r29", "%r5") + kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(2 * i, run.out[i]);
}

TEST(Calls, KeepTheCallersRegistersAndAFunctionThatIsCalledTwiceApart) {
  const auto run = run_body(function("twice", "add.u32 %r2, %r1, %r1; mov.u32 %r3, 77;"),
                            "mov.u32 %r3, 100;" + call("twice", "%r29", "%r6") +
                                call("twice", "%r6", "%r7") + "add.u32 %r5, %r3, %r7;" + kWiden);
  expect_clean(run);
  EXPECT_EQ(100U + 4U * 5U, run.out[5]);
}

TEST(Calls, PassStructsByValueWithVectorsAndBytes) {
  const std::string before =
      ".func (.param .align 8 .b8 r[12]) turn(.param .align 8 .b8 s[12]) { .reg .b32 %r<5>;"
      ".reg .b16 %h<2>; ld.param.v2.u32 {%r1, %r2}, [s]; ld.param.u8 %h1, [s+9];"
      "cvt.u32.u16 %r3, %h1; st.param.v2.b32 [r+0], {%r2, %r1}; st.param.b32 [r+8], %r3; ret; }";
  const auto run = run_body(
      before,
      "{ .param .align 8 .b8 a[12]; st.param.v2.b32 [a+0], {%r29, 7}; st.param.b32 [a+8], 0x4321;"
      ".param .align 8 .b8 b[12]; call.uni (b), turn, (a); ld.param.b32 %r5, [b+0];"
      "ld.param.b32 %r6, [b+4]; ld.param.b32 %r7, [b+8]; }"
      "mad.lo.u32 %r5, %r5, 1000, %r6; mad.lo.u32 %r5, %r7, 10000, %r5;" +
          kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(0x43 * 10000 + 7000 + i, run.out[i]);
}

TEST(Calls, WithAGuardAreMadeByItsLanesOnly) {
  const auto run = run_body(function("nine", "mov.u32 %r2, 9;"),
                            "mov.u32 %r5, 1; setp.lt.u32 %p1, %r29, 3;"
                            "{ .param .b32 a; st.param.b32 [a+0], 0; .param .b32 b;"
                            "st.param.b32 [b+0], 4; @%p1 call (b), nine, (a);"
                            "ld.param.b32 %r5, [b+0]; }" +
                                kWiden);
  expect_clean(run);
  EXPECT_EQ(9U, run.out[2]);
  EXPECT_EQ(4U, run.out[3]);
}

TEST(Calls, FromOneSiteRunTogetherAfterDivergenceInTheFunction) {
  // Odd lanes take another branch inside the function and rejoin the others before the return.
  const auto run = run_body(function("f",
                                     "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra $e;"
                                     "mov.u32 %r2, 3; bra $m; $e: mov.u32 %r2, 5;"
                                     "$m: activemask.b32 %r2;"),
                            call("f", "%r29", "%r5") + kWiden);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(0xffffffffU));
}

TEST(Calls, FromTwoSitesReconvergeBehindBoth) {
  // Lanes below 8 return early. They wait after the branch for the lanes that are still in the
  // function.
  const auto run = run_body(
      function("slow",
               "mov.u32 %r2, 0; $l: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra $l;"),
      "setp.lt.u32 %p1, %r29, 8; @%p1 bra $low;" + call("slow", "%r29", "%r6") +
          "bra $join; $low:" + call("slow", "3", "%r6") +
          "$join: activemask.b32 %r7; add.u32 %r5, %r6, %r7;" + kWiden);
  expect_clean(run);
  EXPECT_EQ(3U - 1, run.out[0]);  // a full mask is -1
  EXPECT_EQ(20U - 1, run.out[20]);
}

TEST(Calls, ALaneThatReturnsEarlyWaitsForTheOthers) {
  const auto run = run_body(function("f",
                                     "mov.u32 %r2, 1; setp.lt.u32 %p1, %r1, 8; @!%p1 bra $rest;"
                                     "st.param.b32 [f_r+0], %r2; ret; $rest: mov.u32 %r2, 2;"),
                            call("f", "%r29", "%r6") +
                                "activemask.b32 %r7; mad.lo.u32 %r5, %r7, 0, %r6;"
                                "setp.ne.u32 %p1, %r7, -1; @%p1 add.u32 %r5, %r5, 100;" +
                                kWiden);
  expect_clean(run);
  EXPECT_EQ(1U, run.out[7]);
  EXPECT_EQ(2U, run.out[8]);
}

// n * fact(n - 1): the product needs n after the call.
const std::string kFactorial = function(
    "fact", "mov.u32 %r2, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra $end; sub.u32 %r3, %r1, 1;" +
                call("fact", "%r3", "%r4") + "mul.lo.u32 %r2, %r1, %r4; $end:");

TEST(Recursion, EachCallHasItsOwnRegisters) {
  const auto run =
      run_body(kFactorial, "and.b32 %r6, %r29, 7;" + call("fact", "%r6", "%r5") + kWiden);
  expect_clean(run);
  const std::uint64_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(factorial[i % 8], run.out[i]) << i;
}

TEST(Recursion, KeepsPredicatesOfTheOuterCall) {
  // count(n) = count(n - 1) + (n is odd). The predicate is set before the call and used after it.
  const auto run = run_body(
      function("count",
               "mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra $end; and.b32 %r3, %r1, 1;"
               "setp.eq.u32 %p2, %r3, 1; sub.u32 %r3, %r1, 1;" +
                   call("count", "%r3", "%r2") + "@%p2 add.u32 %r2, %r2, 1; $end:"),
      call("count", "%r29", "%r5") + kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ((i + 1) / 2, run.out[i]) << i;
}

TEST(Recursion, CallsThatMeetInsideDoNotMixWhatTheyPutAside) {
  // Lanes below 16 call f in the loop's first iteration, and wait in the vote for the others. Those
  // reach it by the same call in the second iteration. After the call each lane still has its own
  // %r1 and iteration number.
  const auto run = run_body(
      function("f",
               "setp.ge.u32 %p1, %r1, 1000; @%p1 bra $inner; mov.u32 %r6, 0; mov.u32 %r2, 0;"
               "$loop: shr.u32 %r3, %r1, 4; setp.ne.u32 %p2, %r3, %r6; @%p2 bra $skip;"
               "add.u32 %r7, %r1, 1000;" +
                   call("f", "%r7", "%r2") +
                   "add.u32 %r2, %r2, %r1; $skip: add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 2;"
                   "@%p3 bra $loop; bra $end;"
                   "$inner: setp.lt.u32 %p1, %r1, 1003; vote.sync.ballot.b32 %r2, %p1, -1; $end:"),
      call("f", "%r29", "%r5") + kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(7 + i, run.out[i]) << i;
}

TEST(Recursion, MayGoThroughSeveralFunctions) {
  // even(n) = 2 * odd(n - 1), even(0) = 1; odd(n) = even(n - 1) + 1, odd(0) = 0.
  const std::string odd_body =
      "mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra $end; sub.u32 %r3, %r1, 1;" +
      call("even", "%r3", "%r2") + "add.u32 %r2, %r2, 1; $end:";
  const std::string even_body =
      "mov.u32 %r2, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra $end; sub.u32 %r3, %r1, 1;" +
      call("odd", "%r3", "%r2") + "shl.b32 %r2, %r2, 1; $end:";
  const auto run = run_body(".func (.param .b32 even_r) even(.param .b32 even_x);\n" +
                                function("odd", odd_body) + function("even", even_body),
                            call("even", "%r29", "%r5") + kWiden);
  expect_clean(run);
  // even(1) = 2 * odd(0) = 0, even(2) = 2 * (even(0) + 1) = 4, even(4) = 2 * (4 + 1) = 10.
  EXPECT_EQ(1U, run.out[0]);
  EXPECT_EQ(0U, run.out[1]);
  EXPECT_EQ(4U, run.out[2]);
  EXPECT_EQ(2U, run.out[3]);
  EXPECT_EQ(10U, run.out[4]);
  EXPECT_EQ(6U, run.out[5]);
}

TEST(Recursion, EachCallHasItsOwnLocalMemory) {
  // Each level keeps n in its own array, and adds the array's value after the call.
  const auto run = run_body(
      ".func (.param .b32 s_r) s(.param .b32 s_x) { .local .align 4 .b8 depot[8];"
      ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<3>; mov.u64 %rd1, depot;"
      "cvta.local.u64 %rd2, %rd1; ld.param.u32 %r1, [s_x]; st.u32 [%rd2+4], %r1; mov.u32 %r4, 0;"
      "setp.eq.u32 %p1, %r1, 0; @%p1 bra $end; sub.u32 %r3, %r1, 1;" +
          call("s", "%r3", "%r4") +
          "$end: ld.local.u32 %r5, [depot+4]; add.u32 %r4, %r4, %r5;"
          "st.param.b32 [s_r+0], %r4; ret; }",
      call("s", "%r29", "%r5") + kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(i * (i + 1) / 2, run.out[i]) << i;
}

TEST(Recursion, WithoutEndIsAStackOverflow) {
  const auto run = run_body(function("f", call("f", "%r1", "%r2")), call("f", "1", "%r5") + kWiden);
  expect_fault(DiagnosticKind::kOutOfBounds, "stack overflow: 4096 calls deep, f finds", run);
}

TEST(Recursion, WithLargeFramesOverflowsSooner) {
  const auto run = run_body(
      ".func (.param .b32 r) f(.param .b32 x) { .local .align 16 .b8 a[4096];"
      ".reg .b32 %r<3>; ld.param.u32 %r1, [x]; st.local.u32 [a], %r1;" +
          call("f", "%r1", "%r2") + "st.param.b32 [r], %r2; ret; }",
      call("f", "1", "%r5") + kWiden);
  // 64 KiB hold 16 frames.
  expect_fault(DiagnosticKind::kOutOfBounds, "stack overflow: 16 calls deep", run);
}

TEST(Recursion, ThatTakesForeverIsARunaway) {
  PtxLaunch launch;
  launch.before = function("f",
                           "mov.u32 %r2, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra $end;"
                           "sub.u32 %r3, %r1, 1;" +
                               call("f", "%r3", "%r2") + call("f", "%r3", "%r2") + "$end:");
  launch.body = call("f", "60", "%r5");
  launch.options.block_budget = 2'000'000;
  expect_fault(DiagnosticKind::kRunaway, "2,000,000 units of work", run_ptx(launch));
}

const std::string kTwoFunctions =
    ".func (.param .b32 a_r) a(.param .b32 a_x); .func (.param .b32 b_r) b(.param .b32 b_x);\n"
    ".global .align 8 .u64 table[2] = {a, b};\n" +
    function("a", "add.u32 %r2, %r1, 1000;") + function("b", "mul.lo.u32 %r2, %r1, 3;");
const std::string kPrototype = "$p: .callprototype (.param .b32 _) _ (.param .b32 _);";

TEST(FunctionPointers, LeadEachLaneToItsOwn) {
  const auto run = run_body(kTwoFunctions,
                            "and.b32 %r6, %r29, 1; mul.wide.u32 %rd6, %r6, 8; mov.u64 %rd7, table;"
                            "add.s64 %rd6, %rd7, %rd6; ld.global.u64 %rd8, [%rd6];" +
                                kPrototype + call("%rd8", "%r29", "%r5", "$p") +
                                "activemask.b32 %r7; setp.ne.u32 %p1, %r7, -1;"
                                "@%p1 add.u32 %r5, %r5, 5000;" +
                                kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; i += 2) EXPECT_EQ(1000 + i, run.out[i]);
  for (std::uint64_t i = 1; i < 32; i += 2) EXPECT_EQ(3 * i, run.out[i]);
  // Instruction 15 is the call, after 9 of the frame, 5 of the body and st.param. Two parts of the
  // warp execute it, each lane once.
  EXPECT_EQ(2U, run.result.instructions.at(15).warps);
  EXPECT_EQ(32U, run.result.instructions.at(15).threads);
}

TEST(FunctionPointers, ThatLeadNowhereAreATrap) {
  const auto run = run_body(
      kTwoFunctions, "mov.u64 %rd8, 64;" + kPrototype + call("%rd8", "%r29", "%r5", "$p") + kWiden);
  expect_fault(DiagnosticKind::kTrap, "through the pointer 0x40, which points to no function", run);
}

TEST(FunctionPointers, OfAnotherTypeAreATrap) {
  const auto run = run_body(kTwoFunctions,
                            "mov.u64 %rd8, a; { .param .b64 q; st.param.b64 [q], %rd8; .param .b32 "
                            "r; call (r), %rd8, (q), $p; } mov.u64 %rd5, 0;" +
                                kPrototype);
  expect_fault(DiagnosticKind::kTrap, "calls a through a pointer of another type", run);
}

TEST(Calls, ExitInsideAFunctionEndsTheThread) {
  const auto run = run_body(function("f", "mov.u32 %r2, 6; setp.lt.u32 %p1, %r1, 4; @%p1 exit;"),
                            call("f", "%r29", "%r5") + "bar.sync 0;" + kWiden);
  expect_clean(run);
  EXPECT_EQ(0U, run.out[3]);
  EXPECT_EQ(6U, run.out[4]);
}

TEST(Calls, WarpFunctionsInsideThemGatherLanesOfBothSites) {
  // One half of the warp calls the function on each side of a branch. The vote inside names all
  // lanes.
  const auto run =
      run_body(function("vote", "setp.lt.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r2, %p1, -1;"),
               "setp.lt.u32 %p1, %r29, 16; @%p1 bra $low;" + call("vote", "%r29", "%r5") +
                   "add.u32 %r5, %r5, 100; bra $join; $low:" + call("vote", "%r29", "%r5") +
                   "$join:" + kWiden);
  expect_clean(run);
  EXPECT_EQ(7U, run.out[0]);
  EXPECT_EQ(107U, run.out[31]);
}

TEST(Calls, ALockTakenInsideAFunctionLetsTheOwnerGoOn) {
  const auto run =
      run_body(".global .u32 lock; .global .u32 sum;" +
                   function("take",
                            "$try: atom.global.cas.b32 %r2, [lock], 0, 1; setp.ne.u32 %p1, %r2, 0;"
                            "@%p1 bra $try;"),
               call("take", "0", "%r6") +
                   "ld.global.u32 %r7, [sum]; add.u32 %r7, %r7, 1; st.global.u32 [sum], %r7;"
                   "atom.global.exch.b32 %r8, [lock], 0; mov.u32 %r5, 1;" +
                   kWiden,
               4);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(1U));
}

TEST(Calls, CountInstructionsOfTheFunctionOnce) {
  const auto run = run_body(function("twice", "add.u32 %r2, %r1, %r1;"),
                            call("twice", "%r29", "%r5") + call("twice", "%r5", "%r5") + kWiden);
  // The kernel's instructions come first: 9 of the frame, 3 for each of 2 calls, 1 conversion, the
  // store and ret.
  ASSERT_EQ(9U + 6U + 3U + 4U, run.result.instructions.size());
  for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(1U, run.result.instructions[i].warps) << i;
  for (std::size_t i = 18; i < 22; ++i) EXPECT_EQ(2U, run.result.instructions[i].warps) << i;
}

TEST(Calls, OfAFunctionWithoutABodyAreUnsupportedByName) {
  const auto run = run_body(".extern .func (.param .b32 r) magic(.param .b32 x);",
                            call("magic", "%r29", "%r5") + kWiden);
  expect_fault(DiagnosticKind::kUnsupported, "the target 'magic', a function without a body", run);
}

TEST(Calls, AFunctionsJumpTableLeadsIntoTheFunction) {
  const auto run =
      run_body(function("f",
                        "and.b32 %r3, %r1, 1; $t: .branchtargets $even, $odd; brx.idx %r3, $t;"
                        "$even: mov.u32 %r2, 10; bra $end; $odd: mov.u32 %r2, 11; $end:"),
               call("f", "%r29", "%r5") + kWiden);
  expect_clean(run);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(10 + i % 2, run.out[i]) << i;
}

TEST(Calls, GiveTheSameResultsForEverySeed) {
  PtxLaunch launch;
  launch.before = kFactorial;
  launch.body =
      "and.b32 %r6, %r29, 7;" + call("fact", "%r6", "%r5") + kWiden + "st.global.u64 [%rd1], %rd5;";
  launch.threads = 96;
  launch.blocks = 5;
  const auto expected = run_ptx(launch);
  expect_clean(expected);
  EXPECT_EQ(5040U, expected.out[7]);
  for (const std::uint64_t seed : {1U, 7U, 99U}) {
    launch.options.seed = seed;
    EXPECT_EQ(expected.out, run_ptx(launch).out) << seed;
  }
}

TEST(Calls, OfAKernelAreUnsupported) {
  expect_fault(
      DiagnosticKind::kUnsupported, "a kernel as the target",
      run_body(".visible .entry other(.param .u64 p) { ret; }", "call other; mov.u64 %rd5, 1;"));
  expect_fault(DiagnosticKind::kUnsupported, "a kernel as the target",
               run_body("", "call k; mov.u64 %rd5, 1;"));
}

TEST(Calls, OfOtherPtxThatNoCompilerMakesAreRefusedInOrder) {
  const auto twice = function("twice", "add.u32 %r2, %r1, %r1;");
  expect_fault(DiagnosticKind::kUnsupported, "an argument that is no .param variable",
               run_body(twice, "call twice, (5); mov.u64 %rd5, 1;"));
  expect_fault(DiagnosticKind::kUnsupported, "another number of arguments",
               run_body(twice, "call twice; mov.u64 %rd5, 1;"));
  expect_fault(DiagnosticKind::kUnsupported, "a place outside the variable",
               run_body("", "{ .param .b32 a; st.param.b32 [a+4], 0; } mov.u64 %rd5, 1;"));
  EXPECT_THROW(run_body(".func f(.param .b8 x[4294967296]) { ret; }", "call f;"), base::ToolError);
}

TEST(Calls, WhatAFunctionLacksMattersOnlyWhereItIsReached) {
  const auto lacking = function("lacking", "setmaxnreg.inc.sync.aligned.u32 232;");
  expect_clean(run_body(lacking, "mov.u64 %rd5, 1;"));
  expect_fault(DiagnosticKind::kUnsupported, "setmaxnreg",
               run_body(lacking, call("lacking", "%r29", "%r5") + kWiden));
}

TEST(SpecialRegisters, ClocksGoOnAndPlacesAreGiven) {
  const auto run = run_body(
      "",
      "mov.u64 %rd6, %clock64; mov.u32 %r6, %clock; mov.u64 %rd7, %globaltimer;"
      "mov.u32 %r7, %clock; sub.u32 %r5, %r7, %r6; mov.u32 %r8, %smid; mov.u32 %r9, %nsmid;"
      "setp.ge.u32 %p1, %r8, %r9; @%p1 add.u32 %r5, %r5, 1000; mov.u64 %rd9, %gridid;" +
          kWiden);
  expect_clean(run);
  EXPECT_THAT(run.out, Each(2U));  // The reads are two instructions apart.
}

}  // namespace warpgrade::sim::control_test
