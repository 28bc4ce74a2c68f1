// SPDX-License-Identifier: Apache-2.0
#include "common/compile/source_outline.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace warpgrade::compile::source_outline_test {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& token : tokens_of(text)) {
    out.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return out;
}

TEST(Tokens, AreWordsNumbersAndOperators) {
  EXPECT_THAT(texts("int x_1 = 1'000.5e-3f + a->b;"),
              ElementsAre("int", "x_1", "=", "1'000.5e-3f", "+", "a", "->", "b", ";"));
  EXPECT_THAT(texts("k<<<1, 2>>>(a::b) == c"), ElementsAre("k", "<<<", "1", ",", "2", ">", ">", ">",
                                                           "(", "a", "::", "b", ")", "==", "c"));
}

TEST(Tokens, OfLiteralsAreWhole) {
  EXPECT_THAT(texts("\"}\\\"\" '\\'' u8\"{\" L'{' x"),
              ElementsAre("\"}\\\"\"", "'\\''", "u8\"{\"", "L'{'", "x"));
  EXPECT_THAT(texts("R\"a(\")\" })a\" x"), ElementsAre("R\"a(\")\" })a\"", "x"));
  EXPECT_THAT(texts("don't {\n}"), ElementsAre("don", "'t {", "}"));
}

TEST(Tokens, AreNotInComments) {
  EXPECT_THAT(texts("a // { \\\n still }\nb /* \" { \n */ c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(texts("/* no end {"), IsEmpty());
}

TEST(Tokens, OfDirectivesReachToTheLogicalLinesEnd) {
  EXPECT_THAT(texts("#define A \"//\" { \\\n  }\nb # c\n  %: if 0 /* \n */ x\ny"),
              ElementsAre("#define A \"//\" { \\\n  }", "b", "#", "c", "%: if 0 /* \n */ x", "y"));
}

TEST(Tokens, OfUnfinishedTextEndWithIt) {
  for (const auto* text : {"\"", "'", "R\"(", "R\"", "/*", "#", "%:", "\\", "1'", "#\\"}) {
    for (const auto& token : tokens_of(text))
      EXPECT_LE(token.end, std::string(text).size()) << text;
  }
}

std::vector<Item> items_of(std::string_view text) {
  const auto tokens = tokens_of(text);
  Macros macros;
  add_macros(text, tokens, macros);
  return outline(text, tokens, macros);
}

// Each item as text, such as "function main: int main() {}".
std::vector<std::string> shown(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& item : items_of(text)) {
    const char* kind = item.kind == ItemKind::kFunction  ? "function"
                       : item.kind == ItemKind::kType    ? "type"
                       : item.kind == ItemKind::kInclude ? "include"
                                                         : "other";
    out.push_back(
        fmt::format("{} {}: {}", kind, item.name, text.substr(item.begin, item.end - item.begin)));
  }
  return out;
}

TEST(Outline, TellsFunctionsVariablesAndTypes) {
  EXPECT_THAT(
      shown("int a = f({1}); struct S { int b; } s; void g(int) { if (1) {} } enum E { x };"),
      ElementsAre("other a: int a = f({1});", "other b: int b;", "type S: struct S { int b; } s;",
                  "function g: void g(int) { if (1) {} }", "type E: enum E { x };"));
  EXPECT_THAT(shown("int x{3}, y; using T = int(*)(int); auto f = [](int a) { return a; };"),
              ElementsAre("other x: int x{3}, y;", "other T: using T = int(*)(int);",
                          "other f: auto f = [](int a) { return a; };"));
  EXPECT_THAT(shown("#include <vector>\n# include \"a.h\"  // b\n#include F\n"),
              ElementsAre("include <vector>: #include <vector>",
                          "include \"a.h\": # include \"a.h\"  // b"));
}

TEST(Outline, EntersNamespacesBlocksAndClasses) {
  EXPECT_THAT(shown("namespace a::b { extern \"C\" { int f(); } } inline namespace { int g(); }"),
              ElementsAre("function f: int f();", "function g: int g();"));
  const auto items = items_of("class A { public: A() : b_{1}, c_(2) {} virtual int f() = 0; };");
  ASSERT_EQ(3u, items.size());
  EXPECT_TRUE(items[0].is_member);
  EXPECT_EQ("A", items[0].name);
  EXPECT_TRUE(items[1].is_virtual);
  EXPECT_EQ(ItemKind::kType, items[2].kind);
}

TEST(Outline, FindsTheEndOfABody) {
  EXPECT_THAT(shown("S::S(int a) try : a{a}, b(B<int>{}) {} catch (...) {} int c;"),
              ElementsAre("function S: S::S(int a) try : a{a}, b(B<int>{}) {} catch (...) {}",
                          "other c: int c;"));
  EXPECT_THAT(shown("auto f() noexcept(true) -> std::vector<int> {} S& operator()(int) const {}"),
              ElementsAre("function f: auto f() noexcept(true) -> std::vector<int> {}",
                          "function operator: S& operator()(int) const {}"));
  EXPECT_THAT(shown("template <class T, class = decltype(T() > 1)> T f(T a = {}) { return a; }"),
              ElementsAre("function f: template <class T, class = decltype(T() > 1)> T f(T a = {}) "
                          "{ return a; }"));
  EXPECT_THAT(
      shown("template void f<int>(int); struct alignas(8) B { };"),
      ElementsAre("function f: template void f<int>(int);", "type B: struct alignas(8) B { };"));
}

TEST(Outline, KnowsTheDevicesSpacesByMacrosToo) {
  const auto items = items_of(
      "#define HD __host__ __device__\n#define FN HD inline\n__global__ void k() { x<<<1, 2>>>(); "
      "}\n"
      "FN float f(); float g() { return threadIdx.x; } struct S { HD int h(); };");
  ASSERT_EQ(5u, items.size());
  EXPECT_TRUE(items[0].is_device && items[0].launches);
  EXPECT_TRUE(items[1].is_device);
  EXPECT_TRUE(!items[2].is_device && items[2].looks_device);
  EXPECT_TRUE(items[3].is_device);
  EXPECT_TRUE(items[4].is_device) << "a class with a part of the device's";
}

TEST(Outline, ReadsEachBranchFromTheStateBeforeIt) {
  EXPECT_THAT(
      shown("#if A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\nint b;"),
      ElementsAre("function f: void f(int a) {\n#else\nvoid f() {\n#endif\n}", "other b: int b;"));
  EXPECT_THAT(shown("#if 0\nit's { {\n#endif\nint a;\n#if 0\n{\n#else\nint b;\n#endif\nint c;"),
              ElementsAre("other a: int a;", "other b: int b;", "other c: int c;"));
  EXPECT_THAT(shown("#endif\n#else\n#if\nint a;"), ElementsAre("other a: int a;"));
}

TEST(Outline, TakesAMacrosCallForADeclaration) {
  EXPECT_THAT(shown("#define MAKE(n) int n;\nMAKE(a)\nint b;"),
              ElementsAre("other MAKE: MAKE(a)", "other b: int b;"));
  EXPECT_THAT(shown("#define A(n) alignas(n)\nstruct A(16) S { int x; };"),
              ElementsAre("other x: int x;", "type S: struct A(16) S { int x; };"));
}

TEST(Outline, SurvivesAnyText) {
  for (const auto* text :
       {"}}}", "((", "{", "template <", "namespace", "operator", "struct S {", "f(} ;", "a = {",
        "[[", "= = =", "class : {", "f() : {} {", "#if 1\n}"}) {
    const std::string_view view = text;
    for (const auto& item : items_of(view)) EXPECT_LE(item.end, view.size()) << text;
  }
}

// Tokens and declarations of a source, and the text of its lines.

TEST(SourceOutline, GivesTheTokensOfADeclaration) {
  const SourceOutline source("const int n = 3;\n__device__ int f() { return n; }\n");
  ASSERT_EQ(2u, source.items.size());
  const auto& function = source.items[1];
  const auto body = source.within(function.head_end, function.end);
  ASSERT_EQ(5u, body.size());
  EXPECT_EQ("n", source.word(body[2]));
  EXPECT_TRUE(source.has_word(body, "return"));
  EXPECT_FALSE(source.has_word(body, "const"));
}

TEST(SourceOutline, LinesAreCountedFromOne) {
  EXPECT_EQ("a", line_text("a\nb\nc", 1));
  EXPECT_EQ("c", line_text("a\nb\nc", 3));
}

}  // namespace warpgrade::compile::source_outline_test
