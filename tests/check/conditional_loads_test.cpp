// SPDX-License-Identifier: Apache-2.0
// Loads that NVVM moves out of conditions: no race by lanes that drop the value, and true races in
// the same form of source.
#include "common/ptx/conditional_loads.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check::conditional_loads_test {

// `n` is 5, but not for the compiler. Shared words are only accessed by their own thread before the
// barrier, and the loop changes them without one.
std::string shared(const std::string& body) {
  return "__shared__ int c[64]; __shared__ float s[64]; const int n = x[200] + 4;\n"
         "c[t] = x[t]; s[t] = x[t]; __syncthreads(); float v = 0; int k = 0;\n" +
         body + "\nout[i] = v + k + c[t] + s[t];";
}
std::string global(const std::string& body) {
  return "const int n = x[200] + 4; int k = 0;\n" + body + "\nout[i] = k;";
}

std::string text_of(const std::string& body) {
  std::string text;
  for (const auto& found : found_in(body)) text += std::string(name(found.kind)) + "\n";
  return text;
}

struct Pair {
  const char* name;
  bool is_shared;
  const char* body;  // THE stands for the thread that reads word 3.
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

std::string with(const Pair& pair, const std::string& thread) {
  std::string body = pair.body;
  for (std::size_t at = body.find("THE"); at != std::string::npos; at = body.find("THE")) {
    body.replace(at, 3, thread);
  }
  return pair.is_shared ? shared(body) : global(body);
}

const Pair kPairs[] = {
    {"SumOfFloats", true, "for (int j = 0; j < n; ++j) { s[t] += j; if (t == THE) v += s[3]; }"},
    {"SumOfIntegers", true, "for (int j = 0; j < n; ++j) { c[t] += j; if (t == THE) k += c[3]; }"},
    {"Ternary", true, "for (int j = 0; j < n; ++j) { s[t] *= 2; v += t == THE ? s[3] : 1.0f; }"},
    {"ElseSide", true,
     "for (int j = 0; j < n; ++j) { s[t] += j; if (t != THE) v += 1; else v -= s[3]; }"},
    {"TwoConditions", true,
     "for (int j = 0; j < n; ++j) { s[t] += j; if (t == THE && j > 2) v += s[3]; }"},
    {"Minimum", true,
     "k = 1 << 30; for (int j = 0; j < n; ++j) { c[t] -= j; if (t == THE) k = min(k, c[3]); }"},
    {"Boolean", true, "for (int j = 0; j < n; ++j) { c[t] += j; k += t == THE && c[3] > 5; }"},
    {"ShortOr", true,
     "for (int j = 0; j < n; ++j) { c[t] += j; if (t != THE || c[3] > 3) k += 1; }"},
    {"Mask", true, "for (int j = 0; j < n; ++j) { c[t] += j; k |= t == THE ? c[3] : 0; }"},
    {"OutOfTheLoop", true,
     "s[t] += 1; for (int j = 0; j < n; ++j) { if (t == THE) v += s[3] * j; }"},
    {"NoLoop", true, "v = x[t + 64]; c[t] = 7; if (t == THE) v += c[3];"},
    {"Nested", true,
     "for (int j = 0; j < n; ++j) { s[t] += j; if (t < 60) { if (t == THE) v += s[3]; } }"},
    {"GlobalTernary", false,
     "for (int j = 0; j < n; ++j) { x[t] += j * (blockIdx.x == 0); if (blockIdx.x == 0)\n"
     "k += t == THE ? x[3] : 1; }"},
};

class Pairs : public testing::TestWithParam<Pair> {};

TEST_P(Pairs, TheWritersOwnReadIsNoRace) { EXPECT_EQ("", text_of(with(GetParam(), "3"))); }
TEST_P(Pairs, TheReadOfAnotherWarpIsOne) { EXPECT_NE("", text_of(with(GetParam(), "40"))); }

INSTANTIATE_TEST_SUITE_P(Loads, Pairs, testing::ValuesIn(kPairs),
                         [](const auto& pair) { return pair.param.name; });

TEST(ConditionalLoads, AVariableInGlobalMemoryOfOneThread) {
  const std::string body =
      "const int n = x[200] + 4; int k = 0; int* total = x + 100;\n"
      "for (int j = 0; j < n; ++j) { if (i == THE) *total += x[j]; if (i == 0) k += *total; }\n"
      "out[i] = k;";
  const auto at = body.find("THE");
  EXPECT_EQ("", text_of(std::string(body).replace(at, 3, "0")));
  EXPECT_NE("", text_of(std::string(body).replace(at, 3, "40")));
}

TEST(ConditionalLoads, AnUnwrittenWordOfOtherLanes) {
  const auto with_word = [&](const std::string& word) {
    return "__shared__ int c[64]; int k = x[t]; if (t == 3) { c[3] = k; c[x[200] + 7] = k; }\n"
           "if (t == 3) k += c[" +
           word + "]; out[i] = k;";
  };
  EXPECT_EQ("", text_of(with_word("3")));
  EXPECT_NE("", text_of(with_word("4")));
}

// A tree in each pass of a loop, whose sum only the first thread needs.
TEST(ConditionalLoads, ATreeInEachPass) {
  const std::string tree =
      "__shared__ float sums[64]; float total = 0;\n"
      "for (int first = 0; first < 128; first += 64) { sums[t] = x[first + t]; __syncthreads();\n"
      "for (int half = 32; half > 0; half /= 2) {\n"
      "if (t < half) sums[t] += sums[t + half];\n__syncthreads(); }\n"
      "if (t == THE) total += sums[0]; }\nout[i] = total;";
  const auto at = tree.find("THE");
  EXPECT_EQ("", text_of(std::string(tree).replace(at, 3, "0")));
  EXPECT_NE("", text_of(std::string(tree).replace(at, 3, "33")));
}

// The condition depends on a variable without an initial value, whose registers depend on each
// other.
TEST(ConditionalLoads, AConditionThatDependsOnItselfIsNotKnown) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
      ".shared .b32 word;\n.reg .pred %p<2>;\n.reg .b32 %r<5>;\n"
      "ld.shared.u32 %r1, [word];\nadd.u32 %r2, %r3, 1;\nadd.u32 %r3, %r2, 1;\n"
      "setp.eq.u32 %p1, %r3, 4;\nselp.b32 %r4, %r1, 0, %p1;\nst.shared.u32 [word], %r4;\nret;\n}\n",
      "k.ptx");
  EXPECT_TRUE(ptx::conditional_loads(module.functions.at(0))->empty());
}

}  // namespace warpgrade::check::conditional_loads_test
