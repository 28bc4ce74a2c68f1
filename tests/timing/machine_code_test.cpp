// SPDX-License-Identifier: Apache-2.0
// Kind, issue slots, latency and registers of each class of PTX instruction in machine code.
#include "common/timing/machine_code.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/sim/exec/rare_operands.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::machine_code_test {

using Kind = MachineOp::Kind;
using Registers = std::vector<std::uint32_t>;

// Registers by number: %p0 to %p3, %r0 to %r7 from 4, %w0 to %w7 from 12, %f0 to %f7 from 20.
constexpr std::uint32_t p(std::uint32_t n) { return n; }
constexpr std::uint32_t r(std::uint32_t n) { return 4 + n; }
constexpr std::uint32_t w(std::uint32_t n) { return 12 + n; }
constexpr std::uint32_t kCarry = 28;

std::vector<MachineOp> machine(const std::string& body, const char* device = "h200") {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.func f() { ret; }\n.visible .entry k()\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %w<8>;\n.reg .f32 %f<8>;\n" +
          body + "}\n",
      "k.ptx");
  return machine_code(module.functions.at(1), device::find(device));
}

MachineOp one(const std::string& text, const char* device = "h200") {
  return machine(text + "\n", device).at(0);
}

Kind kind(const std::string& text) { return one(text).kind; }

TEST(MachineCode, AnInstructionWithoutAResultWritesNoRegister) {
  for (const auto* text :
       {"discard.global.L2 [%w1], 128;", "applypriority.global.L2::evict_normal [%w1], 128;",
        "prefetch.global.L2 [%w1];", "prefetchu.L1 [%w1];", "st.global.u32 [%w1], 0;",
        "red.global.add.u32 [%w1], 1;", "mbarrier.init.shared.b64 [%w1], 1;",
        "mbarrier.inval.shared.b64 [%w1];", "cp.async.mbarrier.arrive.shared.b64 [%w1];"}) {
    EXPECT_EQ(Registers{}, one(text).writes) << text;
    EXPECT_EQ(Registers{w(1)}, one(text).reads) << text;
  }
  EXPECT_EQ(Registers{}, one("cp.async.ca.shared.global [%r1], [%w1], 4;").writes);
  EXPECT_EQ((Registers{r(1), w(1)}), one("cp.async.ca.shared.global [%r1], [%w1], 4;").reads);
}

TEST(MachineCode, AMatrixProductTakesTheTensorCoresOfItsScheduler) {
  const std::string halves =
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};";
  EXPECT_EQ(6, one(halves).slots);
  EXPECT_EQ(24, one(halves).latency);
  EXPECT_EQ(
      4, one("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};").slots);
  EXPECT_EQ(
      6, one("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1}, {%r2}, {%r3}, {%r4};").slots);
  const auto doubles =
      one("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%w1}, {%w2}, {%w3}, {%w4};");
  EXPECT_EQ(16, doubles.slots);
  EXPECT_EQ((Registers{w(2), w(3), w(4)}), doubles.reads);
  // Two products; on the V100, four of 8 clocks each.
  const std::string wmma =
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r1}, {%r2}, {%r3}, {%r4};";
  EXPECT_EQ(12, one(wmma).slots);
  EXPECT_EQ(32, one(wmma, "v100").slots);
}

TEST(MachineCode, ResultsAreWrittenAndTheGuardIsReadLast) {
  const auto op = one("@%p1 setp.eq.u32 %p2|%p3, %r1, %r2;");
  EXPECT_EQ((Registers{p(2), p(3)}), op.writes);
  EXPECT_EQ((Registers{r(1), r(2), p(1)}), op.reads);
  EXPECT_EQ(Registers{w(1)}, one("mbarrier.arrive.shared.b64 %w1, [%r1];").writes);
  EXPECT_EQ(Registers{r(1)}, one("bar.red.popc.u32 %r1, 0, %p1;").writes);
}

TEST(MachineCode, TheCarryFlagIsARegister) {
  EXPECT_EQ((Registers{r(1), kCarry}), one("add.cc.u32 %r1, %r2, 1;").writes);
  EXPECT_EQ(Registers{r(2)}, one("add.cc.u32 %r1, %r2, 1;").reads);
  EXPECT_EQ((Registers{r(2), kCarry}), one("addc.u32 %r1, %r2, 1;").reads);
  EXPECT_EQ(Registers{r(1)}, one("addc.u32 %r1, %r2, 1;").writes);
  EXPECT_EQ((Registers{r(1), kCarry}), one("madc.lo.cc.u32 %r1, 2, 3, 4;").writes);
}

TEST(MachineCode, KindsOfAccessesToMemory) {
  EXPECT_EQ(Kind::kLoad, kind("ld.global.u32 %r1, [%w1];"));
  EXPECT_EQ(Kind::kLoad, kind("ldu.global.u32 %r1, [%w1];"));
  EXPECT_EQ(Kind::kPlain, kind("ld.const.u32 %r1, [%w1];"));
  EXPECT_EQ(Kind::kFence, kind("ld.volatile.global.u32 %r1, [%w1];"));
  EXPECT_EQ(Kind::kStore, kind("st.shared.u32 [%r1], 1;"));
  EXPECT_EQ(Kind::kFence, kind("st.volatile.shared.u32 [%r1], 1;"));
  EXPECT_EQ(Kind::kPlain, kind("prefetch.global.L1 [%w1];"));
  EXPECT_EQ(Kind::kPlain, kind("discard.global.L2 [%w1], 128;"));
  EXPECT_EQ(Kind::kPlain, kind("add.u32 %r1, %r2, %r3;"));
}

TEST(MachineCode, KindsOfWhatOrdersMemory) {
  for (const auto* text :
       {"atom.global.add.u32 %r1, [%w1], 1;", "red.global.add.u32 [%w1], 1;", "membar.gl;",
        "fence.acq_rel.gpu;", "cp.async.ca.shared.global [%r1], [%w1], 4;",
        "cp.async.commit_group;", "cp.async.wait_all;", "mbarrier.init.shared.b64 [%r1], 1;",
        "bar.warp.sync -1;", "bar.arrive 1, 64;", "bar.sync 1, 64;"}) {
    EXPECT_EQ(Kind::kFence, kind(text)) << text;
  }
  EXPECT_EQ(Kind::kBarrier, kind("bar.sync 0;"));
  EXPECT_EQ(Kind::kBarrier, kind("barrier.sync 0;"));
  EXPECT_EQ(Kind::kBarrier, kind("bar.red.popc.u32 %r1, 0, %p1;"));
}

double slots(const std::string& text, const char* device = "h200") {
  return one(text, device).slots;
}

TEST(MachineCode, IssueSlotsOfEachClass) {
  EXPECT_EQ(1, slots("add.u32 %r1, %r2, %r3;"));
  EXPECT_EQ(2, slots("add.s64 %w1, %w2, %w3;"));
  EXPECT_EQ(1, slots("add.s64 %w1, %w2, %w3;", "c1060"));  // addresses have 32 bits
  EXPECT_EQ(2, slots("and.b64 %w1, %w2, %w3;"));
  EXPECT_EQ(0, slots("and.pred %p1, %p2, %p3;"));
  EXPECT_EQ(0, slots("mov.u32 %r1, %r2;"));
  EXPECT_EQ(1, slots("mov.u32 %r1, %tid.x;"));
  EXPECT_EQ(0, slots("cvta.to.global.u64 %w1, %w2;"));
  EXPECT_EQ(0, slots("cvt.u64.u32 %w1, %r1;"));
  EXPECT_EQ(1, slots("cvt.u32.u64 %r1, %w1;"));
  EXPECT_EQ(1, slots("mul.lo.u32 %r1, %r2, 8;"));
  EXPECT_EQ(3 * slots("mul.lo.u32 %r1, %r2, %r3;"), slots("mul.lo.u64 %w1, %w2, %w3;"));
  EXPECT_EQ(24, slots("div.u32 %r1, %r2, %r3;"));
  EXPECT_EQ(96, slots("rem.s64 %w1, %w2, %w3;"));
  EXPECT_EQ(8, slots("rcp.rn.f32 %f1, %f2;"));
  EXPECT_EQ(1, slots("sqrt.approx.f32 %f1, %f2;"));
  EXPECT_EQ(1, slots("ld.global.u32 %r1, [%w1];"));
  EXPECT_EQ(1, slots("addc.u32 %r1, %r2, %r3;"));
  EXPECT_EQ(1, slots("popc.b64 %r1, %w1;"));
}

TEST(MachineCode, AnAddressIsMultipliedAndAddedInOneUnlessTheProductIsReadAgain) {
  const std::string sum = "mul.wide.u32 %w2, %r1, 12; add.s64 %w3, %w1, %w2;";
  EXPECT_EQ(0U, machine(sum + "ret;\n").at(1).slots);
  EXPECT_NE(0U, machine(sum + "add.s64 %w4, %w5, %w2; ret;\n").at(1).slots);
}

TEST(MachineCode, LatenciesOfEachClass) {
  EXPECT_EQ(4U, one("add.u32 %r1, %r2, %r3;").latency);
  EXPECT_EQ(130U, one("div.u32 %r1, %r2, %r3;").latency);
  EXPECT_EQ(29U, one("shfl.sync.up.b32 %r1, %r2, 1, 0, -1;").latency);
  EXPECT_EQ(29U, one("redux.sync.add.u32 %r1, %r2, -1;").latency);
  EXPECT_EQ(4U, one("vote.sync.any.pred %p1, %p2, -1;").latency);
  EXPECT_EQ(8U, one("L: bra L;").latency);
}

TEST(MachineCode, StretchesEndWhereControlMayGoElsewhere) {
  EXPECT_TRUE(one("L: bra L;").ends_stretch);
  EXPECT_TRUE(one("L: bra L;").begins_stretch);
  EXPECT_TRUE(one("call f;").ends_stretch);
  EXPECT_TRUE(one("ret;").ends_stretch);
  EXPECT_TRUE(one("exit;").ends_stretch);
  EXPECT_TRUE(one("T: .branchtargets L; L: brx.idx %r1, T;").ends_stretch);
  EXPECT_TRUE(one("bar.sync 0;").ends_stretch);
  EXPECT_FALSE(one("trap;").ends_stretch);
  EXPECT_FALSE(one("add.u32 %r1, %r2, %r3;").ends_stretch);
}

// From the CUDA C++ Programming Guide, throughput of cc 9.0: a scheduler executes 16 of a warp's 32
// lanes at a time in logic, integer products and f64, and 4 in functions that are looked up.
TEST(MachineCode, PipesOfEachClass) {
  using Clocks = PipeClocks;  // alu, xu, fp64, fmaheavy
  EXPECT_EQ((Clocks{0, 0, 0, 0}), one("fma.rn.f32 %f0, %f1, %f2, %f3;").pipes);
  EXPECT_EQ((Clocks{0, 0, 0, 0}), one("add.u32 %r0, %r1, %r2;").pipes);
  EXPECT_EQ((Clocks{2, 0, 0, 0}), one("shl.b32 %r0, %r1, %r2;").pipes);
  EXPECT_EQ((Clocks{2, 0, 0, 0}), one("setp.lt.f32 %p0, %f1, %f2;").pipes);
  EXPECT_EQ((Clocks{0, 8, 0, 0}), one("ex2.approx.f32 %f0, %f1;").pipes);
  EXPECT_EQ((Clocks{0, 8, 0, 0}), one("cvt.rn.f32.s32 %f0, %r1;").pipes);
  EXPECT_EQ((Clocks{0, 24, 0, 0}), one("div.u32 %r0, %r1, %r2;").pipes);
  EXPECT_EQ((Clocks{0, 0, 0, 2}), one("mul.lo.u32 %r0, %r1, %r2;").pipes);
  EXPECT_EQ((Clocks{0, 0, 0, 0}), one("ex2.approx.f32 %f0, %f1;", "k40").pipes);  // not known there
}

// From the CUDA C++ Programming Guide: cc 7.x and 8.0 do 64 sums and products of f32 per clock and
// SM, cc 8.6 does 128. On the former they share the pipe of integer products.
TEST(MachineCode, FloatsShareThePipeOfIntegerProductsBeforeTheGeForcesOfAmpere) {
  using Clocks = PipeClocks;  // alu, xu, fp64, fmaheavy
  for (const auto* device : {"v100", "t4", "a100"}) {
    EXPECT_EQ((Clocks{0, 0, 0, 2}), one("fma.rn.f32 %f0, %f1, %f2, %f3;", device).pipes) << device;
    EXPECT_EQ((Clocks{0, 0, 0, 2}), one("add.f32 %f0, %f1, %f2;", device).pipes) << device;
    EXPECT_EQ((Clocks{0, 0, 0, 2}), one("mul.lo.u32 %r0, %r1, %r2;", device).pipes) << device;
    EXPECT_EQ((Clocks{2, 0, 0, 0}), one("setp.lt.f32 %p0, %f1, %f2;", device).pipes) << device;
    EXPECT_EQ((Clocks{0, 8, 0, 0}), one("ex2.approx.f32 %f0, %f1;", device).pipes) << device;
  }
  EXPECT_EQ((Clocks{0, 0, 0, 0}), one("fma.rn.f32 %f0, %f1, %f2, %f3;", "rtx3060").pipes);
}

TEST(MachineCode, AShortBranchBecomesPredicates) {
  const auto skips = [](const std::string& inside) {
    return machine("@%p1 bra L;\n" + inside + "\nL: ret;\n").at(0).slots == 0;
  };
  EXPECT_TRUE(skips("add.u32 %r1, %r2, 1;"));
  EXPECT_TRUE(skips("bar.warp.sync -1;"));
  EXPECT_FALSE(skips("bar.sync 0;"));
  EXPECT_FALSE(skips("call f;"));
  EXPECT_FALSE(skips("M: @%p2 bra M;"));
  EXPECT_FALSE(skips("div.u32 %r1, %r2, %r3;"));  // 24 slots are more than 12
}

TEST(MachineCode, AnAccessThatAnotherOneDoesPassesNoStage) {
  auto ops = machine("ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4];\n");
  constexpr std::uint8_t kMerged = memory::MachineAccess::kMerged;
  apply({}, {}, {{.shared_bytes = 8}, {.shared_bytes = kMerged}}, device::find("h200"), ops);
  EXPECT_EQ(8, ops[0].access.shared_bytes);
  EXPECT_EQ(1, ops[0].passes);
  EXPECT_EQ(0, ops[1].passes);
}

// Divisions and roots of rare operands, as an H200 takes longer for them.

template <typename T>
run::RareOperands rare(const std::string& operation, T a, T b) {
  if (operation == "div") return sim::rare_operands_of_quotient(a, b);
  return operation == "rcp" ? sim::rare_operands_of_reciprocal(a) : sim::rare_operands_of_root(a);
}

TEST(MachineCode, RareOperandsTakeTheClocksOfAnH200) {
  constexpr double kNear = 75;  // a class has operands that differ by this number of clocks
  std::map<std::string, double> plain;
  for (const auto& row : golden::read_csv(WARPGRADE_DIVISIONS)) {
    const std::string operation = row.at("operation").substr(0, row.at("operation").find('_'));
    const std::string type = row.at("operation").substr(operation.size() + 1);
    // std::stod refuses subnormal numbers.
    const double a = std::strtod(row.at("a").c_str(), nullptr);
    const double b = std::strtod(row.at("b").c_str(), nullptr);
    const double clocks = std::stod(row.at("clocks"));
    const double further = clocks - plain.try_emplace(row.at("operation"), clocks).first->second;
    const auto found = type == "f32" ? rare(operation, static_cast<float>(a), static_cast<float>(b))
                                     : rare(operation, a, b);
    const bool is_wide = type == "f64";
    const std::string sources = operation == "div" ? ", %2, %2;" : ", %2;";
    std::string text = operation + ".rn." + type + " %1" + sources;
    for (std::size_t at = 0; (at = text.find('%', at)) != std::string::npos; ++at) {
      text.insert(at + 1, is_wide ? "w" : "f");
    }
    const auto modelled = one(text).subroutine_clocks.at(static_cast<std::size_t>(found));
    EXPECT_EQ(further != 0, found != run::RareOperands::kNone) << text << ' ' << a << ' ' << b;
    EXPECT_NEAR(further, modelled, kNear) << text << ' ' << a << ' ' << b;
  }
  EXPECT_EQ(6U, plain.size());
}

TEST(MachineCode, AnApproximateDivisionHasNoSubroutine) {
  const auto has_one = [](const std::string& text) {
    const auto module = ptx::parse(
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k()\n{\n.reg .f32 %f<8>;\n" +
            text + "}\n",
        "k.ptx");
    return sim::teller_of_rare_operands(module.functions.at(0).instructions.at(0)) != nullptr;
  };
  EXPECT_TRUE(has_one("div.rn.f32 %f1, %f2, %f3;\n"));
  EXPECT_FALSE(has_one("div.full.f32 %f1, %f2, %f3;\n"));
  EXPECT_FALSE(has_one("div.approx.f32 %f1, %f2, %f3;\n"));
  EXPECT_FALSE(has_one("add.rn.f32 %f1, %f2, %f3;\n"));
}

}  // namespace warpgrade::timing::machine_code_test
