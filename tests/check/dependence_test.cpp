// SPDX-License-Identifier: Apache-2.0
#include "common/check/dependence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check::dependence_test {

// Whether the value of the last load from global memory in `body` may be stored.
bool is_stored(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry kernel(.param .u64 x)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<6>;\n"
      ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [x];\n" +
          body + "ret;\n}\n",
      "k.ptx");
  const auto& function = module.functions.front();
  const auto stored = stored_loads(function);
  bool last = false;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const auto& in = function.instructions[i];
    if (in.opcode == ptx::Opcode::ld && in.space == ptx::StateSpace::kGlobal) last = stored[i];
  }
  return last;
}

TEST(LoadUses, AValueThatIsStoredDirectlyOrByArithmetic) {
  EXPECT_TRUE(is_stored("ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+4], %r1;\n"));
  EXPECT_TRUE(
      is_stored("ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nmov.u32 %r3, %r2;\n"
                "st.global.u32 [%rd1+4], %r3;\n"));
}

TEST(LoadUses, AValueThatIsAnAddressOfAStore) {
  EXPECT_TRUE(is_stored("ld.global.u64 %rd2, [%rd1];\nst.global.u32 [%rd2], 1;\n"));
}

TEST(LoadUses, AValueThatIsAddedOrSaysWhereToSwap) {
  EXPECT_TRUE(is_stored("ld.global.u32 %r1, [%rd1];\natom.global.add.u32 %r3, [%rd1], %r1;\n"));
  EXPECT_TRUE(is_stored("ld.global.u64 %rd2, [%rd1];\natom.global.cas.b32 %r3, [%rd2], 0, 1;\n"));
}

TEST(LoadUses, AValueThatDecidesABranchOrGoesIntoAnAtomic) {
  EXPECT_FALSE(
      is_stored("ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n"
                "@%p1 bra done;\nst.global.u32 [%rd1+4], 1;\ndone:\n"));
  EXPECT_FALSE(
      is_stored("ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\n"
                "atom.global.min.s32 %r3, [%rd1], %r2;\nst.global.u32 [%rd1+4], %r3;\n"));
}

}  // namespace warpgrade::check::dependence_test
