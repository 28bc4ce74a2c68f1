// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "common/base/error.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx::instruction_facts_test {

// The table of instructions audits itself: each mnemonic has one complete row.

TEST(InstructionTable, HasOneRowAMnemonic) {
  for (const auto& row : instruction_table()) {
    EXPECT_EQ(row.opcode, find_row(row.mnemonic).opcode) << row.mnemonic;
    EXPECT_EQ(&row, &row_of(row.opcode)) << row.mnemonic;
    EXPECT_NE(row.types == 0, row.unsupported.empty()) << row.mnemonic;
    EXPECT_LE(row.fewest_operands, row.most_operands) << row.mnemonic;
  }
}

TEST(InstructionTable, AMnemonicThatIsNotThereIsOther) {
  EXPECT_EQ(Opcode::other, find_row("frobnicate").opcode);
  EXPECT_EQ(Opcode::other, find_row("").opcode);
  EXPECT_EQ(Opcode::add, find_row("add").opcode);
  EXPECT_FALSE(find_row("frobnicate").unsupported.empty());
}

TEST(InstructionTable, TypesAreBitsOfASet) {
  EXPECT_NE(0U, find_row("add").types & bit_of(Type::kF64));
  EXPECT_NE(0U, find_row("add").types & bit_of(Type::kS16));
  EXPECT_EQ(0U, find_row("popc").types & bit_of(Type::kF32));
}

// The facts of every opcode and form, from the syntax and the text of the PTX ISA 9.0, not from
// instructions.def. The test fails for a table row without a line here, and for a line without a
// row.
//
// The columns: form, results (1|2: d or d|p), address operand, flow, memory, time, expansion, pipe.
// A dash is the value of most instructions: no address, the next instruction, no access to memory,
// one issue slot, no branch in the machine code. Pipes come from the table of throughputs in the
// CUDA C++ Programming Guide, with Nsight Compute's names.

// clang-format off
constexpr std::string_view kExpected = R"(
abs            1   - -      -              -          -        alu
activemask     1   - -      -              -          skipped  fma
add            1   - -      -              integer    -        fma
addc           1   - -      -              carry      -        fma
and            1   - -      -              logic      -        alu
applypriority  0   0 -      hint           -          -        fma
atom           1   1 -      atomic         -          skipped  fma
bar            0   - -      barrier        -          skipped  fma
bar.arrive     0   - -      arrival        -          skipped  fma
bar.red        1   - -      barrier        -          skipped  fma
bar.warp       0   - -      warp_barrier   -          skipped  fma
barrier        0   - -      barrier        -          skipped  fma
barrier.arrive 0   - -      arrival        -          skipped  fma
barrier.cluster 0  - -      cluster_barrier -         skipped  fma
barrier.red    1   - -      barrier        -          skipped  fma
bfe            1   - -      -              -          -        alu
bfi            1   - -      -              -          -        alu
bfind          1   - -      -              -          wide     xu
bmsk           1   - -      -              -          -        alu
bra            0   - branch -              -          -        fma
brev           1   - -      -              -          -        xu
brx            0   - table  -              -          -        fma
call           1   - call   -              -          -        fma
clz            1   - -      -              -          -        xu
cnot           1   - -      -              -          -        alu
copysign       1   - -      -              -          -        alu
cos            1   - -      -              -          -        xu
cp             0   0 -      copy           -          skipped  fma
cp.commit_group 0  - -      copy_group     -          skipped  fma
cp.mbarrier    0   0 -      barrier_object -          skipped  fma
cp.wait_all    0   - -      copy_group     -          skipped  fma
cp.bulk        0   0 -      bulk_copy      -          skipped  fma
cp.prefetch    0   0 -      hint           -          skipped  fma
cp.wait_group  0   - -      copy_group     -          skipped  fma
createpolicy   1   - -      -              -          -        fma
createpolicy.range 1 1 -    -              -          -        fma
cvt            1   - -      -              conversion -        fma
cvta           1   - -      -              free       -        fma
discard        0   0 -      hint           -          -        fma
div            1   - -      -              division   dividing fma
dp2a           1   - -      -              -          -        fma
dp4a           1   - -      -              -          -        fma
elect          1|2 - -      -              -          -        fma
ex2            1   - -      -              -          -        xu
exit           0   - exit   -              -          -        fma
fence          0   - -      fence          -          apart    fma
fma            1   - -      -              -          -        fma
fns            1   - -      -              -          -        fma
getctarank     1   - -      -              -          -        fma
mapa           1   - -      -              -          -        fma
griddepcontrol 0   - -      -              -          -        fma
isspacep       1   - -      -              -          -        fma
ld             1   1 -      load           -          skipped  fma
ldmatrix       1   1 -      load           -          skipped  fma
ldu            1   1 -      load           -          skipped  fma
lg2            1   - -      -              -          -        xu
lop3           1|2 - -      -              -          -        alu
mad            1   - -      -              multiply   -        fma
mad24          1   - -      -              -          -        fma
madc           1   - -      -              carry      -        fma
match          1|2 - -      -              match      skipped  fma
max            1   - -      -              -          -        alu
mbarrier       0   0 -      barrier_object -          skipped  fma
mbarrier.arrive 1   1 -      barrier_object -          skipped  fma
mbarrier.arrive_drop 1   1 -      barrier_object -          skipped  fma
mbarrier.test_wait 1   1 -      barrier_object -          skipped  fma
mbarrier.try_wait 1   1 -      barrier_object -          skipped  fma
mbarrier.pending_count 1 - - -             -          skipped  fma
membar         0   - -      fence          -          apart    fma
min            1   - -      -              -          -        alu
mma            1   - -      -              matrix     -        fma
mov            1   - -      -              move       -        fma
movmatrix      1   - -      -              exchange   -        fma
mul            1   - -      -              multiply   -        fma
mul24          1   - -      -              -          -        fma
nanosleep      0   - -      -              -          skipped  fma
neg            1   - -      -              -          -        fma
not            1   - -      -              logic      -        alu
or             1   - -      -              logic      -        alu
pmevent        0   - -      -              -          -        fma
popc           1   - -      -              -          -        xu
prefetch       0   0 -      hint           -          skipped  fma
prefetchu      0   0 -      hint           -          -        fma
prmt           1   - -      -              -          -        alu
rcp            1   - -      -              reciprocal rounding fma
red            0   0 -      reduction      -          skipped  fma
redux          1   - -      -              exchange   skipped  fma
rem            1   - -      -              division   dividing fma
ret            0   - return -              -          -        fma
rsqrt          1   - -      -              -          double   xu
sad            1   - -      -              -          -        fma
selp           1   - -      -              integer    -        alu
set            1   - -      -              -          -        alu
setp           1|2 - -      -              integer    -        alu
shf            1   - -      -              -          -        alu
shfl           1|2 - -      -              shuffle    skipped  fma
shl            1   - -      -              integer    -        alu
shr            1   - -      -              integer    -        alu
sin            1   - -      -              -          -        xu
slct           1   - -      -              -          -        alu
sqrt           1   - -      -              root       rounding fma
st             0   0 -      store          -          skipped  fma
stmatrix       0   0 -      store          -          skipped  fma
sub            1   - -      -              integer    -        fma
subc           1   - -      -              carry      -        fma
szext          1   - -      -              -          -        alu
tanh           1   - -      -              -          -        xu
testp          1   - -      -              -          -        alu
trap           0   - trap   -              -          skipped  fma
brkpt          0   - -      -              -          skipped  fma
vabsdiff2      1   - -      -              -          -        fma
vabsdiff4      1   - -      -              -          -        fma
vote           1   - -      -              -          skipped  fma
vote.ballot    1   - -      -              -          skipped  fma
wmma           1   - -      -              matrix     -        fma
wmma.load      1   1 -      load           -          skipped  fma
wmma.store     0   0 -      store          -          skipped  fma
xor            1   - -      -              logic      -        alu
)";
// clang-format on

constexpr std::string_view kResults[] = {"0", "1", "1|2"};
constexpr std::string_view kFlows[] = {"-", "branch", "table", "call", "return", "exit", "trap"};
constexpr std::string_view kMemoryRoles[] = {
    "-",         "hint",       "load",          "store",        "atomic",          "reduction",
    "fence",     "barrier",    "arrival",       "warp_barrier", "cluster_barrier", "copy",
    "bulk_copy", "copy_group", "barrier_object"};
constexpr std::string_view kTimings[] = {
    "-",        "carry", "integer",    "logic",    "move",    "conversion", "free",  "multiply",
    "division", "root",  "reciprocal", "exchange", "shuffle", "match",      "matrix"};
constexpr std::string_view kExpansions[] = {"-",      "skipped", "dividing", "rounding",
                                            "double", "wide",    "apart"};
constexpr std::string_view kPipes[] = {"fma", "alu", "xu"};
constexpr std::string_view kWidths[] = {"own", "wide", "second", "flag", "4", "8"};
constexpr std::string_view kModifiers[] = {
#define MODIFIER(id, text) text,
#include "common/ptx/modifiers.def"
#undef MODIFIER
};

template <typename Enum, std::size_t kCount>
std::string_view name(const std::string_view (&names)[kCount], Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < kCount ? names[index] : "a value without a name here";
}

std::string text_of(const InstructionFacts& facts) {
  return fmt::format("{} {} {} {} {} {} {}", name(kResults, facts.results),
                     facts.address ? std::to_string(*facts.address) : "-", name(kFlows, facts.flow),
                     name(kMemoryRoles, facts.memory), name(kTimings, facts.timing),
                     name(kExpansions, facts.expansion), name(kPipes, facts.pipe));
}

// Form -> facts, such as "bar.red" -> "1 - - barrier - skipped".
using Lines = std::map<std::string, std::string>;

Lines expected_lines() {
  Lines lines;
  std::istringstream table{std::string(kExpected)};
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string form;
    if (!(words >> form)) continue;
    std::string facts;
    for (std::string word; words >> word;) facts += (facts.empty() ? "" : " ") + word;
    EXPECT_TRUE(lines.emplace(form, facts).second) << form << " stands twice";
  }
  return lines;
}

Lines actual_lines() {
  Lines lines;
  for (const auto& row : instruction_table()) {
    if (!row.unsupported.empty()) continue;
    lines.emplace(row.mnemonic, text_of(facts(row.opcode)));
  }
  for (const auto& form : instruction_forms()) {
    const auto modifier = name(kModifiers, form.modifier);
    Instruction in;
    in.opcode = form.opcode;
    in.modifiers.add(form.modifier);
    lines.emplace(fmt::format("{}{}", row_of(form.opcode).mnemonic, modifier), text_of(facts(in)));
  }
  return lines;
}

TEST(InstructionFacts, AreThoseOfThePtxIsaForEveryOpcodeAndForm) {
  const auto expected = expected_lines();
  for (const auto& [form, line] : actual_lines()) {
    const auto found = expected.find(form);
    if (found == expected.end()) {
      ADD_FAILURE() << "'" << form << "' is in instructions.def and not here: read its section "
                    << "in the PTX ISA and write its facts into the list of this test";
      continue;
    }
    EXPECT_EQ(found->second, line) << form;
  }
}

TEST(InstructionFacts, EveryLineHereHasARow) {
  const auto actual = actual_lines();
  for (const auto& [form, line] : expected_lines()) EXPECT_TRUE(actual.contains(form)) << form;
}

TEST(InstructionFacts, TheFormsOfAnOpcodeStandTogetherAndDiffer) {
  std::set<Opcode> closed;
  auto last = Opcode::other;
  for (const auto& form : instruction_forms()) {
    if (form.opcode != last) {
      EXPECT_TRUE(closed.insert(form.opcode).second) << row_of(form.opcode).mnemonic;
    }
    last = form.opcode;
    EXPECT_TRUE(row_of(form.opcode).modifiers.has(form.modifier))
        << row_of(form.opcode).mnemonic << " never has " << name(kModifiers, form.modifier);
    EXPECT_NE(facts(form.opcode), form.facts)
        << row_of(form.opcode).mnemonic << name(kModifiers, form.modifier);
  }
}

// cp.async.mbarrier.arrive.noinc and bar.warp.sync have more modifiers than the form that they
// match.
TEST(InstructionFacts, TheFirstFormThatFitsCounts) {
  Instruction in;
  in.opcode = Opcode::cp;
  for (const auto m : {Modifier::async, Modifier::mbarrier_, Modifier::arrive, Modifier::noinc}) {
    in.modifiers.add(m);
  }
  EXPECT_EQ(MemoryRole::kBarrierObject, facts(in).memory);
  in = {};
  in.opcode = Opcode::bar;
  in.modifiers.add(Modifier::sync);
  EXPECT_EQ(MemoryRole::kBarrier, facts(in).memory);
  in.modifiers.add(Modifier::warp);
  EXPECT_EQ(MemoryRole::kWarpBarrier, facts(in).memory);
}

// Operands (d, a, b, c, e) that are wider or narrower than the first type, from the syntax in the
// PTX ISA. All operands of the other rows and forms have their own type.
TEST(InstructionFacts, WidthsAreThoseOfThePtxIsa) {
  const std::map<std::string, std::string> expected = {
      {"bfe", "own own 4 4 own"},          {"bfi", "own own own 4 4"},
      {"bfind", "4 own own own own"},      {"clz", "4 own own own own"},
      {"cvt", "own 4 4 own own"},          {"elect", "4 4 own own own"},
      {"getctarank", "4 own own own own"}, {"isspacep", "flag 8 own own own"},
      {"mad", "wide own own wide own"},    {"mapa", "own own 4 own own"},
      {"match", "4 own 4 own own"},        {"movmatrix", "4 4 own own own"},
      {"mul", "wide own own own own"},     {"popc", "4 own own own own"},
      {"selp", "own own own flag own"},    {"setp", "flag own own flag own"},
      {"shl", "own own 4 own own"},        {"shr", "own own 4 own own"},
      {"slct", "own own own second own"},  {"testp", "flag own own own own"},
      {"vote", "flag flag 4 own own"},     {"vote.ballot", "4 flag 4 own own"},
  };
  std::map<std::string, std::string> actual;
  const auto add = [&](const std::string& form, const Widths& widths) {
    if (widths == Widths{}) return;
    actual.emplace(form, fmt::format("{} {} {} {} {}", name(kWidths, widths.d),
                                     name(kWidths, widths.a), name(kWidths, widths.b),
                                     name(kWidths, widths.c), name(kWidths, widths.e)));
  };
  for (const auto& row : instruction_table()) {
    add(std::string(row.mnemonic), facts(row.opcode).widths);
  }
  for (const auto& form : instruction_forms()) {
    const auto modifier = name(kModifiers, form.modifier);
    add(fmt::format("{}{}", row_of(form.opcode).mnemonic, modifier), form.facts.widths);
  }
  EXPECT_EQ(expected, actual);
}

TEST(InstructionFacts, FewInstructionsCombineOrCompareOrReadConstants) {
  std::map<std::string_view, Algebra> combining;
  std::map<std::string_view, int> compared;
  std::set<std::string_view> read_only;
  for (const auto& row : instruction_table()) {
    const auto& fact = facts(row.opcode);
    if (fact.algebra != Algebra::kApart) combining.emplace(row.mnemonic, fact.algebra);
    if (fact.compared_type) compared.emplace(row.mnemonic, *fact.compared_type);
    if (fact.read_only) read_only.insert(row.mnemonic);
  }
  using enum Algebra;
  EXPECT_EQ((std::map<std::string_view, Algebra>{{"add", kSum},
                                                 {"and", kAnd},
                                                 {"max", kExtreme},
                                                 {"min", kExtreme},
                                                 {"mul", kProduct},
                                                 {"neg", kNegation},
                                                 {"or", kOr},
                                                 {"shl", kShift},
                                                 {"sub", kDifference},
                                                 {"xor", kXor}}),
            combining);
  EXPECT_EQ((std::map<std::string_view, int>{{"set", 1}, {"setp", 0}}), compared);
  EXPECT_EQ((std::set<std::string_view>{"ldu"}), read_only);
}

TEST(InstructionFacts, OnlyAJumpOrAnEndWithoutAGuardNeverFallsThrough) {
  Instruction in;
  for (const auto opcode : {Opcode::bra, Opcode::brx, Opcode::ret, Opcode::exit, Opcode::trap}) {
    in.opcode = opcode;
    in.guard.reset();
    EXPECT_TRUE(never_falls_through(in)) << row_of(opcode).mnemonic;
    in.guard = 0;
    EXPECT_FALSE(never_falls_through(in)) << row_of(opcode).mnemonic;
  }
  in.guard.reset();
  for (const auto opcode : {Opcode::call, Opcode::add, Opcode::bar}) {
    in.opcode = opcode;
    EXPECT_FALSE(never_falls_through(in)) << row_of(opcode).mnemonic;
  }
}

// Machine instructions of matrix products. Expected values come from cuobjdump on the output of
// ptxas 13.0.

std::optional<MatrixProduct> product(const std::string& text, std::uint32_t cc = 90) {
  const auto module = parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n"
      ".reg .b64 %w<9>;\n" +
          text + "\nret;\n}\n",
      "k.ptx");
  return matrix_product(module.functions.at(0).instructions.at(0), cc);
}

const std::string kHalf =
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r1}, {%r1}, {%r1}, {%r1};";
const std::string kByte =
    "wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32 {%r1}, {%r1}, {%r1}, {%r1};";

TEST(MatrixProduct, AWmmaOfHalvesIsTwoHmmaAndFourOnTuring) {
  EXPECT_EQ(2U, product(kHalf)->instructions);
  EXPECT_EQ(2048U, product(kHalf)->multiplications);
  EXPECT_EQ(4U, product(kHalf, 75)->instructions);
  EXPECT_EQ(2U, product(kHalf, 80)->instructions);
}

TEST(MatrixProduct, AWmmaOfBytesIsTwoImmaAndFourOnTuring) {
  EXPECT_EQ(MatrixProduct::Pipe::kImma, product(kByte)->pipe);
  EXPECT_EQ(2U, product(kByte)->instructions);
  EXPECT_EQ(4U, product(kByte, 75)->instructions);
}

TEST(MatrixProduct, AWmmaOfTf32IsFourHmma) {
  const auto tf32 = product(
      "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%r1}, {%r1}, {%r1}, {%r1};");
  EXPECT_EQ(4U, tf32->instructions);
  EXPECT_EQ(512U, tf32->multiplications);
  EXPECT_EQ(32U, tf32->source_bits);
}

TEST(MatrixProduct, AnMmaIsOneInstruction) {
  for (const auto* form : {"m16n8k8.row.col.f32.f16.f16.f32", "m16n8k16.row.col.f32.bf16.bf16.f32",
                           "m16n8k8.row.col.f32.tf32.tf32.f32", "m8n8k16.row.col.s32.s8.s8.s32",
                           "m16n8k16.row.col.f64.f64.f64.f64"}) {
    EXPECT_EQ(1U, product(std::string("mma.sync.aligned.") + form + " {%r1}, {%r1}, {%r1}, {%r1};")
                      ->instructions)
        << form;
  }
}

TEST(MatrixProduct, OthersAreNone) {
  EXPECT_FALSE(product("add.u32 %r1, %r1, %r1;"));
  EXPECT_FALSE(product("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%w1], 16;"));
}

// Registers that each form of an instruction writes and reads, from the syntax in the PTX ISA 9.0.

// A kernel with the single instruction `text`. The instruction may use a label L, a table T of
// labels, and a function f with the parameters a (its result) and b (its argument).
Module parse_one(const std::string& text) {
  const std::string before = R"(.version 9.0
.target sm_90
.address_size 64
.func (.param .b32 x) f(.param .b32 y) { ret; }
.visible .entry k()
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %w<9>;
  .reg .f32 %f<9>;
  .param .b32 a;
  .param .b32 b;
  T: .branchtargets L;
)";
  return parse(before + text + "\nL: ret;\n}\n", "k.ptx");
}

// The registers that the instruction writes, then the ones it reads: "%r1 %r2 < %r3".
std::string registers_of(const std::string& text) {
  const auto module = parse_one(text);
  const auto& function = module.functions.at(1);
  EXPECT_TRUE(function.unsupported.empty()) << text;
  const auto& in = function.instructions.at(0);
  std::string found;
  for_each_written(in, [&](std::uint32_t r) { found += function.registers[r].name + " "; });
  found += "<";
  for_each_read(in, [&](std::uint32_t r) { found += " " + function.registers[r].name; });
  return found;
}

TEST(InstructionRegisters, ArithmeticWritesItsFirstOperand) {
  EXPECT_EQ("%r1 < %r2 %r3", registers_of("add.s32 %r1, %r2, %r3;"));
  EXPECT_EQ("%r1 < %r1 %r1", registers_of("mul.lo.s32 %r1, %r1, %r1;"));
  EXPECT_EQ("%f1 < %f2 %f3 %f4 %p1", registers_of("@%p1 fma.rn.f32 %f1, %f2, %f3, %f4;"));
  EXPECT_EQ("%r1 < %r2 %r3", registers_of("addc.cc.u32 %r1, %r2, %r3;"));
  EXPECT_EQ("%w1 <", registers_of("createpolicy.fractional.L2::evict_last.b64 %w1, 1.0;"));
  EXPECT_EQ("%r1 <", registers_of("activemask.b32 %r1;"));
}

TEST(InstructionRegisters, ASecondResultIsWrittenWhereItIsNamed) {
  EXPECT_EQ("%p1 < %r1 %r2", registers_of("setp.eq.s32 %p1, %r1, %r2;"));
  EXPECT_EQ("%p1 %p2 < %r1 %r2", registers_of("setp.eq.s32 %p1|%p2, %r1, %r2;"));
  EXPECT_EQ("%r1 %p1 < %r2 %r3", registers_of("shfl.sync.up.b32 %r1|%p1, %r2, %r3, 0, -1;"));
  EXPECT_EQ("%r1 %p1 < %r2", registers_of("match.all.sync.b32 %r1|%p1, %r2, -1;"));
  EXPECT_EQ("%r1 %p1 <", registers_of("elect.sync %r1|%p1, -1;"));
  EXPECT_EQ("%p1 < %r1 %r2 %r3 %p2", registers_of("lop3.and.b32 _|%p1, %r1, %r2, %r3, 0x80, %p2;"));
}

TEST(InstructionRegisters, AVectorIsWrittenElementByElement) {
  EXPECT_EQ("%r1 %r2 < %w1", registers_of("mov.b64 {%r1, %r2}, %w1;"));
  EXPECT_EQ("%w1 < %r1 %r2", registers_of("mov.b64 %w1, {%r1, %r2};"));
  EXPECT_EQ("%f1 %f2 < %w1", registers_of("ld.global.v2.f32 {%f1, %f2}, [%w1+8];"));
  EXPECT_EQ("< %w1 %f1 %f2", registers_of("st.global.v2.f32 [%w1], {%f1, %f2};"));
}

TEST(InstructionRegisters, AnAddressIsRead) {
  EXPECT_EQ("%f1 < %w1", registers_of("ld.global.f32 %f1, [%w1];"));
  EXPECT_EQ("%f1 < %w1", registers_of("ldu.global.f32 %f1, [%w1];"));
  EXPECT_EQ("< %w1 %f1", registers_of("st.global.f32 [%w1], %f1;"));
  EXPECT_EQ("%r1 < %w1 %r2 %r3", registers_of("atom.global.cas.b32 %r1, [%w1], %r2, %r3;"));
  EXPECT_EQ("< %w1 %r1", registers_of("red.global.add.u32 [%w1], %r1;"));
  EXPECT_EQ("< %w1", registers_of("prefetch.global.L2 [%w1];"));
  EXPECT_EQ("< %w1", registers_of("prefetchu.L1 [%w1];"));
  EXPECT_EQ("< %w1", registers_of("applypriority.global.L2::evict_normal [%w1], 128;"));
  EXPECT_EQ("< %w1", registers_of("discard.global.L2 [%w1], 128;"));
  EXPECT_EQ("%w2 < %w1 %r1 %r2",
            registers_of("createpolicy.range.global.L2::evict_last.b64 %w2, [%w1], %r1, %r2;"));
}

TEST(InstructionRegisters, BarriersOnlyReduceToAResult) {
  EXPECT_EQ("< %r1", registers_of("bar.sync %r1;"));
  EXPECT_EQ("< %r1 %r2", registers_of("bar.arrive %r1, %r2;"));
  EXPECT_EQ("< %r1", registers_of("bar.warp.sync %r1;"));
  EXPECT_EQ("%r1 < %r2 %p1", registers_of("bar.red.popc.u32 %r1, %r2, %p1;"));
  EXPECT_EQ("%p2 < %r2 %r3 %p1", registers_of("barrier.red.and.pred %p2, %r2, %r3, %p1;"));
  EXPECT_EQ("< %r1", registers_of("nanosleep.u32 %r1;"));
  EXPECT_EQ("<", registers_of("membar.gl;"));
}

TEST(InstructionRegisters, CopiesAndBarrierObjects) {
  EXPECT_EQ("< %r1 %w1 %r2", registers_of("cp.async.ca.shared.global [%r1], [%w1], 4, %r2;"));
  EXPECT_EQ("<", registers_of("cp.async.commit_group;"));
  EXPECT_EQ("<", registers_of("cp.async.wait_group 1;"));
  EXPECT_EQ("< %r1", registers_of("cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];"));
  EXPECT_EQ("< %r1 %r2", registers_of("mbarrier.init.shared.b64 [%r1], %r2;"));
  EXPECT_EQ("< %r1", registers_of("mbarrier.inval.shared.b64 [%r1];"));
  EXPECT_EQ("%w1 < %r1", registers_of("mbarrier.arrive.shared.b64 %w1, [%r1];"));
  EXPECT_EQ("< %r1 %r2", registers_of("mbarrier.arrive.release.cta.shared.b64 _, [%r1], %r2;"));
  EXPECT_EQ("%p1 < %r1 %w1", registers_of("mbarrier.test_wait.shared.b64 %p1, [%r1], %w1;"));
  EXPECT_EQ("< %r1 %r2", registers_of("mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], %r2;"));
  EXPECT_EQ("%r1 < %w1", registers_of("mbarrier.pending_count.b64 %r1, %w1;"));
}

TEST(InstructionRegisters, ControlFlowWritesNone) {
  EXPECT_EQ("< %p1", registers_of("@!%p1 bra L;"));
  EXPECT_EQ("< %r1", registers_of("brx.idx %r1, T;"));
  EXPECT_EQ("<", registers_of("call (a), f, (b);"));
  EXPECT_EQ("< %p1", registers_of("@%p1 trap;"));
}

TEST(InstructionRegisters, AnAddressStandsWhereTheTableSays) {
  EXPECT_NO_THROW(parse_one("mbarrier.init.shared.b64 [%r1], 1;"));
  EXPECT_THROW(parse_one("mbarrier.init.shared.b64 %r1, 1;"), base::ToolError);
  EXPECT_THROW(parse_one("mbarrier.arrive.shared.b64 [%r1], %w1;"), base::ToolError);
  EXPECT_THROW(parse_one("ld.global.f32 [%w1], %f1;"), base::ToolError);
  EXPECT_THROW(parse_one("discard.global.L2 %w1, 128;"), base::ToolError);
}

// A form that the table lacks is refused by its name, wherever its address is.
TEST(InstructionRegisters, ARefusedFormMayHaveItsAddressElsewhere) {
  const auto module = parse_one("mbarrier.try_wait.unknown.shared.b64 [%r1], 4;");
  EXPECT_EQ(1U, module.functions.at(1).unsupported.size());
}

// Expected values come from ptxas of CUDA 13.0 for sm_90: if a register is uniform, one lane adds
// for all (VOTEU, REDUX).

/// Whether %r8 is uniform.
bool is_r8_uniform(const std::string& body) {
  const Module module = parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
      ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
          body + "\nret;\n}\n",
      "k.cu");
  const Function& function = module.functions.at(0);
  const auto found = uniform_registers(function);
  for (std::size_t r = 0; r < function.registers.size(); ++r) {
    if (function.registers[r].name == "%r8") return found[r] != 0;
  }
  ADD_FAILURE() << "no %r8";
  return false;
}

TEST(UniformRegisters, ComeFromParametersAndTheBlock) {
  EXPECT_TRUE(is_r8_uniform("ld.param.u32 %r1, [n];\nadd.u32 %r8, %r1, 3;"));
  EXPECT_TRUE(
      is_r8_uniform("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                    "mul.lo.u32 %r8, %r1, %r2;"));
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r8, %tid.x;"));
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r1, %tid.y;\nadd.u32 %r8, %r1, 3;"));
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r8, %laneid;"));
}

TEST(UniformRegisters, ComeFromLoadsThatAllLanesShare) {
  EXPECT_TRUE(is_r8_uniform("mov.u64 %rd1, 4096;\nld.global.u32 %r8, [%rd1];"));
  EXPECT_FALSE(is_r8_uniform("mov.u64 %rd1, 4096;\nld.volatile.global.u32 %r8, [%rd1];"));
  EXPECT_FALSE(
      is_r8_uniform("mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\n"
                    "ld.global.u32 %r8, [%rd1];"));
  EXPECT_FALSE(is_r8_uniform("mov.u64 %rd1, 4096;\natom.global.add.u32 %r8, [%rd1], 1;"));
}

TEST(UniformRegisters, AreWrittenOnceAndWithoutAGuard) {
  EXPECT_FALSE(is_r8_uniform("mov.u32 %r8, 1;\nadd.u32 %r8, %r8, 1;"));
  EXPECT_FALSE(
      is_r8_uniform("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mov.u32 %r8, 1;"));
  EXPECT_FALSE(is_r8_uniform("activemask.b32 %r8;"));
}

}  // namespace warpgrade::ptx::instruction_facts_test
