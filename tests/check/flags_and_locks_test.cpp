// SPDX-License-Identifier: Apache-2.0
// Attempts to take a lock: after the last failure the thread goes on, or leaves the section out.
#include "common/check/flags_and_locks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/finding_text.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check::flags_and_locks_test {

using testing::HasSubstr;

std::string errors(const std::string& body) {
  const auto all = found_in(body);
  return all.empty() ? "" : base::text(all[0]);
}

const std::string kLeader = "if (t == 0) {\n";

// An attempt to take a lock counts only if its failure keeps the thread from the section.
TEST(LockAttempts, ProtectOnlyThreadsThatTheirFailureStops) {
  const std::string section = "__threadfence();\n *out += 1;\n __threadfence();\n";
  const std::string go_on[] = {
      "for (int k = 0; k < 100; ++k) if (atomicCAS(x, 1, 2) == 1) break;\n",
      "int tries = 0;\n while (atomicCAS(x, 1, 2) != 1 && ++tries < 9000) {}\n",
      "int v = 2;\n for (int k = 0; k < 16 && v == 2; ++k) v = atomicExch(x, 2);\n",
      "out[i + 1] = atomicCAS(x, 1, 2);\n",
      "if (atomicCAS(x, 1, 2) != 1) out[i + 1] = 7;\n",
  };
  for (const auto& attempt : go_on) {
    EXPECT_THAT(errors(kLeader + attempt + section + "atomicExch(x, 1); }"),
                HasSubstr("may fail, and the thread goes on"))
        << attempt;
  }
  EXPECT_THAT(errors(kLeader + "int v = atomicExch(x, 2);\n if (v == 1) {\n" + section +
                     "atomicExch(x, 1); }\n else {\n" + section + "atomicExch(x, v); } }"),
              HasSubstr("may fail"));
  const std::string right[] = {
      "bool has = false;\n for (int k = 0; k < 16 && !has; ++k) has = atomicCAS(x, 1, 2) == 1;\n"
      "if (!has) return;\n",
      "int tries = 0;\n while (atomicExch(x, 2) != 1) if (++tries == 100) __trap();\n",
      "if (atomicCAS(x, 1, 2) != 1) while (atomicCAS(x, 1, 2) != 1) __nanosleep(20);\n",
  };
  for (const auto& attempt : right) {
    const auto body = kLeader + attempt + section + "atomicExch(x, 1); }";
    EXPECT_EQ("", errors(body)) << body;
  }
  EXPECT_EQ("", errors("__shared__ bool has;\n if (t == 0) has = atomicExch(x, 2) == 1;\n"
                       "__syncthreads();\n if (!has) return;\n __threadfence();\n out[t] += 1;\n"
                       "__threadfence();\n __syncthreads();\n if (t == 0) atomicExch(x, 1);"));
}

}  // namespace warpgrade::check::flags_and_locks_test
