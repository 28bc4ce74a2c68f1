// SPDX-License-Identifier: Apache-2.0
// The names of kinds of access in reports.
#include "common/memory/memory_operation.h"

#include <gtest/gtest.h>

namespace warpgrade::memory::memory_operation_test {

using run::Operation;
using run::Space;

TEST(MemoryOperation, HasTheNameThatReportsShow) {
  EXPECT_EQ("global load", name(MemoryOperation{Space::kGlobal, Operation::kLoad}));
  EXPECT_EQ("shared store", name(MemoryOperation{Space::kShared, Operation::kStore}));
  EXPECT_EQ("local load", name(MemoryOperation{Space::kLocal, Operation::kLoad}));
  EXPECT_EQ("global atomic", name(MemoryOperation{Space::kGlobal, Operation::kAtomic}));
  EXPECT_EQ("shared reduction", name(MemoryOperation{Space::kShared, Operation::kReduction}));
}

}  // namespace warpgrade::memory::memory_operation_test
