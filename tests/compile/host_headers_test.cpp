// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_headers.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "common/compile/shims.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::host_headers_test {

TEST(HostHeaders, StandOnceAndAreNoShims) {
  std::set<std::string> names;
  for (const auto& shim : shims()) names.insert(shim.name);
  for (const auto* name : host_headers()) EXPECT_TRUE(names.insert(name).second) << name;
}

TEST(HostHeaders, DisturbNobody) {
  std::string source;
  for (const auto* name : host_headers()) source += std::string("#include <") + name + ">\n";
  EXPECT_TRUE(diagnostics_of(source + "__global__ void k() {}\n").empty());
}

TEST(HostHeaders, LeaveTheBlockPrimitivesOfCub) {
  EXPECT_TRUE(diagnostics_of("#include <cub/cub.cuh>\n__global__ void k(int* x) {\n"
                             "  __shared__ cub::WarpReduce<int>::TempStorage s;\n"
                             "  x[0] = cub::WarpReduce<int>(s).Sum(x[threadIdx.x]);\n}\n")
                  .empty());
}

}  // namespace warpgrade::compile::host_headers_test
