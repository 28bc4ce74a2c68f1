// SPDX-License-Identifier: Apache-2.0
// The facts of every opcode and of every form, written out from the syntax and the text of the PTX
// ISA 9.0 (chapters 8 and 9.7), not from instructions.def. A row of the table that has no line here
// fails, and so does a line without a row.
//
// The columns: form, results (1|2: d or d|p), address operand, flow, memory, time, expansion. A
// dash is a fact that most instructions share: no address, the next instruction, no access to
// memory, one issue slot, no branch in the machine code.
#include "common/ptx/instruction_facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "common/ptx/instruction_table.h"

namespace warpgrade::ptx {
namespace instruction_facts_test {

// clang-format off
constexpr std::string_view kExpected = R"(
abs            1   - -      -              -          -
activemask     1   - -      -              -          skipped
add            1   - -      -              integer    -
addc           1   - -      -              carry      -
and            1   - -      -              logic      -
applypriority  0   0 -      hint           -          -
atom           1   1 -      atomic         -          skipped
bar            0   - -      barrier        -          skipped
bar.arrive     0   - -      arrival        -          skipped
bar.red        1   - -      barrier        -          skipped
bar.warp       0   - -      warp_barrier   -          skipped
barrier        0   - -      barrier        -          skipped
barrier.arrive 0   - -      arrival        -          skipped
barrier.red    1   - -      barrier        -          skipped
bfe            1   - -      -              -          -
bfi            1   - -      -              -          -
bfind          1   - -      -              -          wide
bmsk           1   - -      -              -          -
bra            0   - branch -              -          -
brev           1   - -      -              -          -
brx            0   - table  -              -          -
call           1   - call   -              -          -
clz            1   - -      -              -          -
cnot           1   - -      -              -          -
copysign       1   - -      -              -          -
cos            1   - -      -              -          -
cp             0   0 -      copy           -          skipped
cp.commit_group 0  - -      copy_group     -          skipped
cp.mbarrier    0   0 -      barrier_object -          skipped
cp.wait_all    0   - -      copy_group     -          skipped
cp.wait_group  0   - -      copy_group     -          skipped
createpolicy   1   - -      -              -          -
createpolicy.range 1 1 -    -              -          -
cvt            1   - -      -              conversion -
cvta           1   - -      -              free       -
discard        0   0 -      hint           -          -
div            1   - -      -              division   dividing
dp2a           1   - -      -              -          -
dp4a           1   - -      -              -          -
elect          1|2 - -      -              -          -
ex2            1   - -      -              -          -
exit           0   - exit   -              -          -
fence          0   - -      fence          -          apart
fma            1   - -      -              -          -
fns            1   - -      -              -          -
getctarank     1   - -      -              -          -
griddepcontrol 0   - -      -              -          -
isspacep       1   - -      -              -          -
ld             1   1 -      load           -          skipped
ldmatrix       1   1 -      load           -          skipped
ldu            1   1 -      load           -          skipped
lg2            1   - -      -              -          -
lop3           1|2 - -      -              -          -
mad            1   - -      -              multiply   -
mad24          1   - -      -              -          -
madc           1   - -      -              carry      -
match          1|2 - -      -              exchange   skipped
max            1   - -      -              -          -
mbarrier       1   1 -      barrier_object -          skipped
mbarrier.init  0   0 -      barrier_object -          skipped
mbarrier.inval 0   0 -      barrier_object -          skipped
mbarrier.pending_count 1 - - -             -          skipped
membar         0   - -      fence          -          apart
min            1   - -      -              -          -
mma            1   - -      -              matrix     -
mov            1   - -      -              move       -
movmatrix      1   - -      -              exchange   -
mul            1   - -      -              multiply   -
mul24          1   - -      -              -          -
nanosleep      0   - -      -              -          skipped
neg            1   - -      -              -          -
not            1   - -      -              logic      -
or             1   - -      -              logic      -
pmevent        0   - -      -              -          -
popc           1   - -      -              -          -
prefetch       0   0 -      hint           -          skipped
prefetchu      0   0 -      hint           -          -
prmt           1   - -      -              -          -
rcp            1   - -      -              root       rounding
red            0   0 -      reduction      -          skipped
redux          1   - -      -              exchange   skipped
rem            1   - -      -              division   dividing
ret            0   - return -              -          -
rsqrt          1   - -      -              -          double
sad            1   - -      -              -          -
selp           1   - -      -              integer    -
set            1   - -      -              -          -
setp           1|2 - -      -              integer    -
shf            1   - -      -              -          -
shfl           1|2 - -      -              exchange   skipped
shl            1   - -      -              integer    -
shr            1   - -      -              integer    -
sin            1   - -      -              -          -
slct           1   - -      -              -          -
sqrt           1   - -      -              root       rounding
st             0   0 -      store          -          skipped
stmatrix       0   0 -      store          -          skipped
sub            1   - -      -              integer    -
subc           1   - -      -              carry      -
szext          1   - -      -              -          -
tanh           1   - -      -              -          -
testp          1   - -      -              -          -
trap           0   - trap   -              -          skipped
brkpt          0   - -      -              -          skipped
vabsdiff2      1   - -      -              -          -
vabsdiff4      1   - -      -              -          -
vote           1   - -      -              -          skipped
wmma           1   - -      -              matrix     -
wmma.load      1   1 -      load           -          skipped
wmma.store     0   0 -      store          -          skipped
xor            1   - -      -              logic      -
)";
// clang-format on

constexpr std::string_view kResults[] = {"0", "1", "1|2"};
constexpr std::string_view kFlows[] = {"-", "branch", "table", "call", "return", "exit", "trap"};
constexpr std::string_view kMemoryRoles[] = {
    "-",       "hint",    "load",         "store", "atomic",     "reduction",     "fence",
    "barrier", "arrival", "warp_barrier", "copy",  "copy_group", "barrier_object"};
constexpr std::string_view kTimings[] = {"-",        "carry",      "integer",  "logic",
                                         "move",     "conversion", "free",     "multiply",
                                         "division", "root",       "exchange", "matrix"};
constexpr std::string_view kExpansions[] = {"-",      "skipped", "dividing", "rounding",
                                            "double", "wide",    "apart"};
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
  return fmt::format("{} {} {} {} {} {}", name(kResults, facts.results),
                     facts.address ? std::to_string(*facts.address) : "-", name(kFlows, facts.flow),
                     name(kMemoryRoles, facts.memory), name(kTimings, facts.timing),
                     name(kExpansions, facts.expansion));
}

// "bar.red" -> "1 - - barrier - skipped"
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
      ADD_FAILURE() << "'" << form << "' stands in instructions.def and not here: read its section "
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
    EXPECT_NE(text_of(facts(form.opcode)), text_of(form.facts))
        << row_of(form.opcode).mnemonic << name(kModifiers, form.modifier);
  }
}

// cp.async.mbarrier.arrive.noinc and bar.warp.sync have more modifiers than the form's.
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

}  // namespace instruction_facts_test
}  // namespace warpgrade::ptx
