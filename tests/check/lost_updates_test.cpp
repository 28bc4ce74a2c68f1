// SPDX-License-Identifier: Apache-2.0
// Updates in separate steps, each with the atomic that does them in one, and right neighbours.
#include "common/check/lost_updates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "common/base/finding_text.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check::lost_updates_test {

using testing::HasSubstr;

std::string errors(const std::string& body) {
  std::string out;
  for (const auto& one : found_in(body)) {
    if (one.severity == base::Severity::kError) out += base::text(one) + "\n";
  }
  return out;
}

const std::string kLeader = "if (t == 0) {\n";
const std::string kShared = "__shared__ int s;\n if (t == 0) s = 0;\n __syncthreads();\n";

TEST(LostUpdates, AreFindingsWithTheAtomicThatDoesBothSteps) {
  const std::pair<std::string, std::string> wrong[] = {
      {kLeader + "int v = *x;\n atomicExch(x, v + 1); }", "atomicAdd()"},
      {"int v = *x;\n atomicExch(x, v + 1);", "atomicAdd()"},
      {kLeader + "int v = *x;\n atomicCAS(x, v, v + 1); }", "atomicCAS() in a loop"},
      {"int v = *x;\n atomicCAS(x, v, v + 1);", "or atomicAdd()"},
      {kLeader + "int v = *x;\n if (i + 5 > v) atomicCAS(x, v, i + 5); }", "atomicCAS() in a loop"},
      {kLeader + "volatile int* p = x;\n *p = *p + 1; }", "atomicAdd()"},
      {kLeader + "volatile int* p = x;\n *p = *p | (2 << blockIdx.x); }", "step: atomicOr()."},
      {kLeader + "volatile int* p = x;\n *p = *p ^ (2 << blockIdx.x); }", "step: atomicXor()."},
      {kLeader + "volatile int* p = x;\n *p = *p & ~(1 << blockIdx.x); }", "step: atomicAnd()."},
      {kLeader + "volatile float* p = (float*)x;\n *p = *p + 1.5f; }", "atomicAdd()"},
      {kLeader + "volatile double* p = (double*)x;\n *p = *p + 1.5; }", "atomicAdd()"},
      {kLeader + "volatile long long* p = (long long*)x;\n *p = *p + 1; }", "atomicAdd()"},
      {kLeader + "volatile int* p = x;\n *p = *p * 3; }", "atomicCAS() loop"},
      {kLeader + "volatile int* p = x;\n if (i + 5 > *p) *p = i + 5; }", "atomicMax()"},
      {kLeader + "if (i + 5 > *x) atomicExch(x, i + 5); }", "lost update"},
      {kLeader + "if (*x == 1) {\n atomicExch(x, 2);\n atomicAdd(out, 1); } }", "use the result"},
      {"if (*(volatile int*)x == 1) {\n atomicExch(x, 2);\n atomicAdd(out, 1); }",
       "use the result"},
      {kLeader + "int v = atomicAdd(x, 0);\n atomicExch(x, v + 1); }", "atomicAdd()"},
      {kLeader + "int v = atomicOr(x, 0);\n atomicExch(x, v + 1); }", "atomicAdd()"},
      {kLeader + "int v = *x;\n atomicMax(x, v + 1); }", "lost update"},
      {kLeader + "int v = *x;\n atomicAdd(x, v); }", "lost update"},
      {kLeader + "if (*(volatile int*)x < 9) atomicAdd(x, 1); }", "lost update"},
      {"if (t == 0 && blockIdx.x == 0) {\n volatile int* p = x;\n *p = *p + 1;\n }\n"
       "else atomicAdd(x, 1);",
       "lost update"},
      {kLeader + "while (*(volatile int*)x != 1) {}\n atomicExch(x, 2);\n __threadfence();\n"
                 "*(volatile int*)out += 1;\n __threadfence();\n atomicExch(x, 1); }",
       "lost update"},
      {kShared + "int v = s;\n atomicExch(&s, v + 1);", "atomicAdd()"},
      {kLeader + "int v = atomicExch(x, 0);\n atomicExch(x, v + 1); }",
       "line 4 reads the word, line 5"},
      {"atomicExch(x, atomicExch(x, 0) + 1);",
       "line 3 reads the word and writes it in a second step"},
      {kLeader + "int v = atomicExch(x, 0);\n if (v + i != 0) *(volatile int*)x = v | i; }",
       "atomicOr()"},
      {kShared + "int v = atomicExch(&s, t);\n if (v < t) atomicExch(&s, v);", "lost update"},
      {"int v = *x, seen = atomicCAS(x, v, v + 1);\n if (seen != v) atomicCAS(x, seen, seen + 1);",
       "or atomicAdd()"},
      {"int v = atomicAdd(x, 0), w = v * 3, old;\n do {\n old = v;\n v = atomicCAS(x, old, w);\n"
       "} while (v != old);",
       "compute the new value from the word that it returns"},
      {"out[i] = *(volatile int*)x;\n atomicExch(x, i);", "use the result of"},
      {kShared + "out[i] = atomicAdd(&s, 0);\n *(volatile int*)&s = i;", "use the result of"},
      {kShared + "int v = s;\n atomicCAS(&s, v, v + 1);", "atomicCAS() in a loop"},
      {kShared + "if (t % 32 == 0) {\n volatile int* p = &s;\n *p = *p + 1; }", "atomicAdd()"},
      {kShared + "if (*(volatile int*)&s == 0) {\n atomicExch(&s, 1);\n atomicAdd(out, 1); }",
       "use the result"},
      {kShared + "volatile int* p = &s;\n if (*p == 0) {\n *p = 1;\n out[i] = 1; }",
       "use the result"},
      {kShared + "volatile int* p = &s;\n if (*p == 0) *p = t + 1;", "use the result"},
      {kShared + "s++;\n __syncthreads();\n out[i] = s;", "atomicAdd()"},
      {"x[t & 7]++;", "atomicAdd()"},
      // The head of a list that a swap may have failed to take.
      {"int v = atomicAdd(x, 0);\n atomicCAS(x, v, out[v + 128]);\n out[i] = v;", "in a loop"},
      {"int v = atomicExch(x, 5);\n if (v == 5) {\n out[i] = 1;\n atomicExch(x, v + 0 * t); }\n"
       "else atomicExch(x, v + 1);",
       "lost update"},
      {kLeader + "unsigned long long* p = (unsigned long long*)x;\n"
                 "unsigned long long v = *(volatile unsigned long long*)(p + 64);\n"
                 "if (v == 0x100000001) {\n v = (unsigned long long)malloc(4);\n"
                 "atomicExch(p + 64, v);\n }\n out[i] = v >> 40; }",
       "lost update"},
  };
  for (const auto& [body, advice] : wrong) EXPECT_THAT(errors(body), HasSubstr(advice)) << body;
}

TEST(LostUpdates, AreNotFoundInRightKernels) {
  const std::string right[] = {
      "int v = *x, seen;\n do {\n seen = v;\n v = atomicCAS(x, seen, seen + 1);\n"
      "} while (v != seen);",
      "volatile int* p = x;\n int v;\n do v = *p; while (atomicCAS(x, v, v * 3) != v);",
      "unsigned long long* p = (unsigned long long*)x;\n unsigned long long v = *p, seen;\n do {\n"
      "seen = v;\n v = atomicCAS(p, seen, (unsigned long long)__double_as_longlong(1.0 + "
      "__longlong_as_double(seen)));\n } while (v != seen);",
      kShared +
          "int v = s, seen;\n do {\n seen = v;\n v = atomicCAS(&s, seen, seen + 1);\n"
          "} while (v != seen);",
      "if (i > *x) atomicMax(x, i);",
      "atomicMin(x, min(atomicAdd(x, 0), i));",
      "atomicMax(&x[t % 3], atomicAdd(&x[t % 2], 0) + i);",  // an edge of a graph, or a loop
      "if (i > *(volatile int*)x) atomicMax(x, i);",
      "if ((*(volatile int*)x & 4) == 0) atomicOr(x, 4);",
      "if (*(volatile int*)x == 1) atomicCAS(x, 1, i + 2);",
      "if (*(volatile int*)x == 1 && atomicCAS(x, 1, 2) == 1) atomicAdd(out, 1);",
      "if (*(volatile int*)x == 1 && atomicExch(x, 2) == 1) atomicAdd(out, 1);",
      "int v = i % 64, p;\n while ((p = atomicAdd(&out[v], 0)) != 0) {\n"  // paths are shortened
      "atomicCAS(&out[v], p, out[p]);\n v = p;\n }\n x[i] = v;",
      "if (*(volatile int*)x != 7) atomicExch(x, 7);",  // equal writes
      "if (*(volatile int*)x < 90) {\n int v = atomicAdd(x, 1);\n if (v < 90) out[v] = 1; }",
      "out[atomicAdd(x, 1)] = 1;",
      "float *f = (float*)out, v = 1;\n do v = atomicExch(f, atomicExch(f, 0.f) + v); while (v != "
      "0);",
      kLeader + "int v;\n do v = atomicExch(x, -1); while (v < 0);\n atomicExch(x, v + 1); }",
      "for (int v = -1; v == -1;) {\n v = atomicExch(x, -1);\n if (v != -1) atomicExch(x, v + 1); "
      "}",
      "int v = atomicExch(x, 0);\n if (v > 2) atomicAdd(x, v - 2);",
      "for (int k = 0, key = i + 1; k < 9 && key != 0; ++k) key = atomicExch(&out[key % 8], key);",
      "volatile int* p = x;\n int v = p[t];\n if (v != t) atomicCAS(&x[t], v, p[v]);",  // a shorter
                                                                                        // path
      "int v = *(volatile int*)x, seen = atomicCAS(&out[v], 0, i + 1);\n"  // a queue's tail
      "atomicCAS(x, v, seen == 0 ? i + 1 : seen);",
      "int v = ~*(volatile int*)x;\n if ((atomicOr(x, v & -v) & (v & -v)) == 0) atomicAdd(out, 1);",
      "int v = atomicAdd(x, 0), w = max(v, i), seen;\n while (w > v) {\n"
      "seen = atomicCAS(x, v, w);\n if (seen == v) break;\n v = seen; }",
      "volatile int* p = x + i;\n out[i] = *p;\n *p = i;",
      kLeader +
          "while (atomicCAS(x, 1, 2) != 1) {}\n __threadfence();\n"
          "*(volatile int*)out += 1;\n __threadfence();\n atomicExch(x, 1); }",
      kLeader +
          "while (atomicExch(x, 2) != 1) {}\n __threadfence();\n"
          "*(volatile int*)out += 1;\n __threadfence();\n atomicExch(x, 1); }",
      kLeader +
          "while (true) {\n while (*(volatile int*)x != 1) {}\n"
          "if (atomicCAS(x, 1, 2) == 1) break;\n }\n __threadfence();\n"
          "*(volatile int*)out += 1;\n __threadfence();\n atomicExch(x, 1); }",
      kLeader +
          "while (*(volatile int*)x != blockIdx.x + 1) {}\n __threadfence();\n"
          "*(volatile int*)out += 1;\n __threadfence();\n"
          "*(volatile int*)x = blockIdx.x + 2; }",
      kLeader +
          "while (atomicAdd(x, 0) != blockIdx.x + 1) {}\n out[blockIdx.x] = 1;\n"
          "__threadfence();\n atomicExch(x, blockIdx.x + 2); }",
      kLeader +
          "while (*(volatile int*)x < blockIdx.x + 1) {}\n __threadfence();\n"
          "*(volatile int*)out += 1;\n __threadfence();\n atomicAdd(x, 1); }",
      kLeader + "__threadfence();\n if (atomicAdd(x, 1) == gridDim.x) atomicExch(x, 1); }",
      "volatile int* p = out + i;\n *p = *p + 1;",                     // a word of its own
      kLeader + "volatile int* p = x + blockIdx.x;\n *p = *p + 1; }",  // only one thread
      "volatile int* p = out + t;\n if (blockIdx.x == 0) *p = *p + x[t];",
      kShared +
          "volatile int* p = &s;\n if (t > 5 && *p == 0) *p = 1;\n __syncthreads();\n"
          "out[i] = s;",
      kShared +
          "for (int k = 0; k < 64; ++k) {\n if (t == k) *(volatile int*)&s += k;\n"
          "__syncthreads();\n }",
      kShared +
          "if (t < 32) for (int k = 0; k < 32; ++k) {\n if (t == k) *(volatile int*)&s += k;\n"
          "__syncwarp();\n }",
  };
  for (const auto& body : right) EXPECT_EQ("", errors(body)) << body;
}

// Retrying once is not enough: the second swap may fail, too.
TEST(LostUpdates, ASecondSwapWhoseFailureIsIgnored) {
  EXPECT_THAT(errors("int v = *x;\n if (atomicCAS(x, v, v + 1) != v) {\n v = *x;\n"
                     "atomicCAS(x, v, v + 1); }"),
              HasSubstr("lost update"));
}

}  // namespace warpgrade::check::lost_updates_test
