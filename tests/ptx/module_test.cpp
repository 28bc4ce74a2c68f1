// SPDX-License-Identifier: Apache-2.0
// Sizes of types, sets of modifiers, and the places of instructions.
#include "common/ptx/module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/ptx/control_flow.h"

namespace warpgrade::ptx::module_test {

TEST(Types, HaveTheSizesOfTheirNames) {
  EXPECT_EQ(0U, size_of(Type::kNone));
  for (const auto type : {Type::kB8, Type::kU8, Type::kS8}) EXPECT_EQ(1U, size_of(type));
  for (const auto type : {Type::kB16, Type::kU16, Type::kS16, Type::kF16, Type::kBf16}) {
    EXPECT_EQ(2U, size_of(type));
  }
  for (const auto type : {Type::kB32, Type::kU32, Type::kS32, Type::kF32, Type::kF16x2,
                          Type::kBf16x2, Type::kU16x2, Type::kS16x2, Type::kTf32}) {
    EXPECT_EQ(4U, size_of(type));
  }
  for (const auto type : {Type::kB64, Type::kU64, Type::kS64, Type::kF64}) {
    EXPECT_EQ(8U, size_of(type));
  }
  EXPECT_EQ(16U, size_of(Type::kB128));
  for (const auto type : {Type::kE4m3x2, Type::kE5m2x2}) EXPECT_EQ(2U, size_of(type));
}

TEST(ModifierSets, HoldWhatWasAdded) {
  ModifierSet some;
  EXPECT_FALSE(some.has(Modifier::rn));
  some.add(Modifier::rn);
  some.add(Modifier::volatile_);
  EXPECT_TRUE(some.has(Modifier::rn));
  EXPECT_FALSE(some.has(Modifier::rz));
  auto more = some;
  more.add(Modifier::wide);
  EXPECT_TRUE(some.within(more));
  EXPECT_FALSE(more.within(some));
  EXPECT_TRUE(ModifierSet{}.within(some));
}

TEST(Locations, AreThoseOfTheInstructions) {
  Function function;
  function.locations = {{}, {"a.cu", 5, 1}};
  function.instructions.resize(2);
  function.instructions[1].location = 1;
  EXPECT_EQ(0U, location(function, 0).line);
  EXPECT_EQ(5U, location(function, 1).line);
  EXPECT_THROW(location(function, 2), std::out_of_range);
}

TEST(FindFunction, GoesByTheName) {
  Module module;
  module.functions.resize(2);
  module.functions[1].name = std::string("k");
  EXPECT_EQ(&module.functions[1], find_function(module, "k"));
  EXPECT_EQ(nullptr, find_function(module, "kk"));
}

using testing::ElementsAre;
using testing::IsEmpty;

// A module with a function `a`, which calls `b`, and a function `c`, whose address is in `table`.
// `body` is the body of the kernel.
Module parse_kernel(const std::string& body) {
  return parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".func b();\n.func c();\n"
      ".global .align 8 .u64 table[1] = {c};\n"
      ".func a() { .reg .b32 %r<3>; .reg .pred %p<2>; .loc 1 5 1\n"
      "$l: @%p1 bra $l; mov.u32 %r2, 1; call b; ret; }\n"
      ".func b() { .reg .b32 %r<2>; .loc 1 9 1\n setmaxnreg.inc.sync.aligned.u32 64; ret; }\n"
      ".func c() { ret; }\n"
      ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %rd<2>; .loc 1 20 1\n" +
          body + " ret; }\n.file 1 \"k.cu\"\n",
      "k.cu");
}

Function link_kernel(const Module& module) { return link(module, *find_function(module, "k")); }

std::vector<std::string> names(const Module& module, const Function& linked) {
  std::vector<std::string> found;
  for (const auto& part : linked.parts) found.push_back(module.functions[part.function].name);
  return found;
}

TEST(Parser, ADeclarationAndItsDefinitionAreOneFunction) {
  const auto module = parse_kernel("");
  std::vector<std::string> functions;
  for (const auto& function : module.functions) functions.push_back(function.name);
  EXPECT_THAT(functions, ElementsAre("b", "c", "a", "k"));
  EXPECT_FALSE(module.functions[0].is_declaration);
}

TEST(Parser, ACallHasResultsTargetAndArguments) {
  const auto module = parse(
      ".version 9.0\n.target sm_90\n.func (.param .b32 r) f(.param .b32 x, .param .b64 y) {"
      ".reg .b64 %rd<2>; { .param .b32 p; .param .b64 q; .param .b32 s; call.uni (s), f, (p, q);"
      "t: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);"
      "call (s), %rd1, (p, q), t; call f; } ret; }",
      "k.cu");
  const auto& function = module.functions.at(0);
  // The function's variables are r, x, y, then p, q, s.
  const auto& direct = function.instructions.at(0);
  EXPECT_EQ(5U, direct.operands[0].elements.at(0).index);
  EXPECT_EQ(Operand::Kind::kFunction, direct.operands[1].kind);
  EXPECT_EQ(4U, direct.operands[2].elements.at(1).index);
  const auto& indirect = function.instructions.at(1);
  EXPECT_EQ(Operand::Kind::kRegister, indirect.operands[1].kind);
  EXPECT_EQ(2U, indirect.operands[2].elements.size());
  EXPECT_THAT(function.instructions.at(2).operands[2].elements, IsEmpty());
}

TEST(Link, TakesWhatIsReachedOnly) {
  const auto alone = parse_kernel("mov.u32 %r1, 1;");
  EXPECT_THAT(names(alone, link_kernel(alone)), ElementsAre("k"));
  EXPECT_THAT(link_kernel(alone).unsupported, IsEmpty());
  const auto calls = parse_kernel("call a;");
  EXPECT_THAT(names(calls, link_kernel(calls)), ElementsAre("k", "a", "b"));
  EXPECT_EQ(1U, link_kernel(calls).unsupported.size());
  const auto takes = parse_kernel("mov.u64 %rd1, table;");
  const auto linked = link_kernel(takes);
  EXPECT_THAT(names(takes, linked), ElementsAre("k", "c"));
  EXPECT_TRUE(linked.parts[1].address_taken);
}

TEST(Link, RenumbersRegistersLabelsAndLines) {
  const auto module = parse_kernel("mov.u32 %r1, 1; call a;");
  const auto linked = link_kernel(module);
  // Kernel: mov, call, ret. a: bra, mov, call, ret.
  const auto& part = linked.parts.at(1);
  EXPECT_EQ(3U, part.instructions.begin);
  EXPECT_EQ(7U, part.instructions.end);
  EXPECT_EQ(3U, linked.instructions[3].operands[0].index);
  EXPECT_EQ("%p1", linked.registers[*linked.instructions[3].guard].name);
  EXPECT_EQ("%r2", linked.registers[linked.instructions[4].operands[0].index].name);
  EXPECT_LE(part.registers.begin, linked.instructions[4].operands[0].index);
  EXPECT_EQ(20U, location(linked, 0).line);
  EXPECT_EQ(5U, location(linked, 4).line);
}

TEST(Link, GivesABodyThatEndsInALabelAReturn) {
  const auto module = parse(
      ".version 9.0\n.target sm_90\n.func f() { ret; }\n.visible .entry k() { .reg .pred %p<2>;"
      "@%p1 bra $end; call f; ret; $end: }",
      "k.cu");
  const auto linked = link_kernel(module);
  ASSERT_EQ(5U, linked.instructions.size());
  EXPECT_EQ(Opcode::ret, linked.instructions[3].opcode);
  EXPECT_EQ(3U, linked.instructions[0].operands[0].index);
  EXPECT_EQ(4U, linked.parts.at(1).instructions.begin);
}

TEST(WeakTopologicalOrder, PutsFunctionsBehindTheKernel) {
  const auto module = parse_kernel("call a;");
  const auto blocks = basic_blocks(link_kernel(module));
  // Block 0 is the kernel, 1 is a's loop, 2 is the rest of a, and b begins at 3.
  ASSERT_EQ(5U, blocks.size());
  EXPECT_TRUE(blocks[1].is_entry);
  EXPECT_FALSE(blocks[2].is_entry);
  EXPECT_TRUE(blocks[3].is_entry);
  const auto order = weak_topological_order(blocks);
  EXPECT_EQ(0U, order[0]);
  EXPECT_THAT(std::vector<std::uint32_t>(order.begin() + 1, order.begin() + 4),
              ElementsAre(1, 2, 3));
}

}  // namespace warpgrade::ptx::module_test
