// SPDX-License-Identifier: Apache-2.0
// Addresses of buffers, variables and parameters, and the bytes that belong to them.
#include "common/sim/memory/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"

namespace warpgrade::sim::address_space_test {

class AddressSpaceTest : public testing::Test {
 protected:
  AddressSpaceTest() {
    buffers[0].name = "out";
    buffers[0].bytes.resize(64);
    buffers[1].name = "in";
    buffers[1].bytes.resize(16);
    launch.kernel = "k";
    launch.arguments = {run::BufferArgument{0}, run::value_argument(7), run::BufferArgument{1}};
  }
  AddressSpace space() { return {module, *ptx::find_function(module, "k"), launch, buffers}; }

  ptx::Module module = ptx::parse(R"(.version 9.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[12] = {1, 2, 3};
.const .align 8 .b64 pointer = table;
.visible .entry k(.param .u64 out, .param .u32 n, .param .u64 in) { ret; }
)",
                                  "k.cu");
  std::vector<run::Buffer> buffers = std::vector<run::Buffer>(2);
  run::Launch launch;
};

TEST_F(AddressSpaceTest, ABuffersBytesAreUsedInPlaceAndNoOthers) {
  const auto memory = space();
  const auto base = memory.buffer_addresses().at(0);
  const auto* region = memory.find(base, 64);
  ASSERT_NE(nullptr, region);
  EXPECT_EQ(buffers[0].bytes.data(), region->host);
  EXPECT_NE(nullptr, memory.find(base + 63, 1));
  EXPECT_EQ(nullptr, memory.find(base + 63, 2));
  EXPECT_EQ(nullptr, memory.find(base + 64, 1));
  EXPECT_EQ(nullptr, memory.find(base - 1, 1));
  EXPECT_EQ(nullptr, memory.find(base, ~std::uint64_t{0}));
}

TEST_F(AddressSpaceTest, BuffersLieFarApartAndAlignedAsCudaMallocsDo) {
  const auto memory = space();
  const auto& addresses = memory.buffer_addresses();
  EXPECT_EQ(0U, addresses[0] % 512);
  EXPECT_EQ(0U, addresses[1] % 512);
  EXPECT_GE(addresses[1] - addresses[0], std::uint64_t{1} << 30);
}

TEST_F(AddressSpaceTest, VariablesStartAsTheProgramSays) {
  const auto memory = space();
  const auto table = memory.variable_address(0);
  const auto* region = memory.find(table, 12);
  ASSERT_NE(nullptr, region);
  EXPECT_EQ("table", region->name);
  EXPECT_EQ(std::byte{3}, region->host[2]);
  EXPECT_EQ(std::byte{0}, region->host[3]);
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, memory.find(memory.variable_address(1), 8)->host, sizeof pointer);
  EXPECT_EQ(table, pointer);
}

TEST_F(AddressSpaceTest, VariablesAreKeptAndSetAgain) {
  auto memory = space();
  memory.find(memory.variable_address(0), 1)->host[0] = std::byte{9};
  const auto kept = memory.kept_variables();
  auto next = space();
  EXPECT_EQ(std::byte{1}, *next.find(next.variable_address(0), 1)->host);
  next.set_variables(kept);
  EXPECT_EQ(std::byte{9}, *next.find(next.variable_address(0), 1)->host);
}

TEST_F(AddressSpaceTest, ParametersLieAtTheirAlignment) {
  const auto memory = space();
  EXPECT_EQ(0U, memory.parameter_offset(0));
  EXPECT_EQ(8U, memory.parameter_offset(1));
  EXPECT_EQ(16U, memory.parameter_offset(2));
  EXPECT_EQ(24U, memory.parameters().size());
  EXPECT_EQ(std::byte{7}, memory.parameters()[8]);
  EXPECT_NE(nullptr, memory.find(kParameterWindow.base, 24));
}

TEST_F(AddressSpaceTest, ArgumentsMustFitTheKernel) {
  launch.arguments.pop_back();
  EXPECT_THROW(space(), base::UsageError);
  launch.arguments.emplace_back(run::value_argument(1));  // 4 bytes for a pointer
  EXPECT_THROW(space(), base::UsageError);
}

TEST_F(AddressSpaceTest, SaysWhatAnAddressIsNearest) {
  const auto memory = space();
  const auto text = [&](std::uint64_t address) {
    auto outside = memory.describe(address, 4);
    if (const auto* words = std::get_if<OutsideWords>(&outside)) return words->where;
    return base::text(std::get<base::OutsideAccess>(outside));
  };
  EXPECT_EQ("through a null pointer", text(0));
  EXPECT_EQ("at address 0x10: an index from a null pointer", text(16));
  const auto out = memory.buffer_addresses()[0];
  const auto in = memory.buffer_addresses()[1];
  EXPECT_EQ("reads out[16], but out has elements 0 to 15", text(out + 64));
  EXPECT_EQ("reads in[-1], but in has elements 0 to 3", text(in - 4));
  // 2^32 - 1 elements of 4 bytes past the start: an index of -1 as an unsigned number.
  constexpr auto kRange = std::uint64_t{1} << 34;
  EXPECT_EQ("reads out[4294967295], that is (unsigned) -1, but out has elements 0 to 15",
            text(out + kRange - 4));
  EXPECT_EQ("reads in[4294967293], that is (unsigned) -3, but in has elements 0 to 3",
            text(in + kRange - 12));
  EXPECT_THAT(text(out + kRange / 2), testing::HasSubstr("outside every buffer"));
}

// The toolkit's headers declare hundreds of variables, a linked library thousands.
TEST_F(AddressSpaceTest, ThousandsOfVariablesKeepApartFromEachOtherAndFromBuffers) {
  for (const auto space_of_variables : {ptx::StateSpace::kGlobal, ptx::StateSpace::kConstant}) {
    for (const std::uint64_t count : {std::uint64_t{10'000}, kMostVariables - 1}) {
      module.variables.resize(2);
      module.variables.resize(count, {"one", space_of_variables, ptx::Type{}, 4, 4, false, {}, {}});
      module.variables.back().bytes = kMostVariableBytes - 20 - 4 * (count - 3);
      const auto memory = space();
      const auto last = memory.variable_address(static_cast<std::uint32_t>(count - 1));
      EXPECT_LT(last + kMostVariableBytes, kLocalWindow);
      EXPECT_LE(memory.variable_address(2) + kSmallGap, memory.variable_address(3));
      EXPECT_EQ(buffers[1].bytes.data(), memory.find(memory.buffer_addresses()[1], 16)->host);
    }
  }
}

TEST_F(AddressSpaceTest, MoreVariablesThanTheWindowHoldsAreRefused) {
  module.variables.resize(kMostVariables + 2,
                          {"one", ptx::StateSpace::kGlobal, ptx::Type{}, 4, 4, false, {}, {}});
  EXPECT_THROW(space(), base::UsageError);
  module.variables.resize(2);
  module.variables.push_back(
      {"huge", ptx::StateSpace::kGlobal, {}, 8, ~std::uint64_t{0} - 7, false, {}, {}});
  EXPECT_THROW(space(), base::UsageError);
}

TEST(AddressSpace, SparseBuffersPastOneGibibyteKeepApart) {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b) { ret; }\n",
      "k.cu");
  run::Launch launch;
  launch.kernel = "k";
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  run::Pattern pattern;
  pattern.element_bytes = 4;
  pattern.bytes = std::uint64_t{5} << 30;
  auto buffers = sparse_buffers({pattern, pattern});
  const AddressSpace memory(module, *ptx::find_function(module, "k"), launch, buffers);
  const auto& addresses = memory.buffer_addresses();
  EXPECT_GE(addresses[1], addresses[0] + pattern.bytes + kGap);
  EXPECT_EQ(&memory.regions().back(), memory.find(addresses[1] + pattern.bytes - 4, 4));
  EXPECT_EQ(nullptr, memory.find(addresses[0] + pattern.bytes, 1));
}

TEST(AddressSpace, NamesTheRegionsThatOverlap) {
  const auto message = [](std::vector<Region> regions) -> std::string {
    try {
      check_no_overlap(regions);
    } catch (const base::ToolError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ("", message({{0x1000, 16, nullptr, "a"}, {0x1010, 16, nullptr, "b"}}));
  EXPECT_THAT(message({{0x1000, 17, nullptr, "a"}, {0x1010, 16, nullptr, "b"}}),
              testing::AllOf(testing::HasSubstr("'a' (17 bytes at 0x1000)"),
                             testing::HasSubstr("'b' (16 bytes at 0x1010)")));
  EXPECT_THAT(message({{kSharedWindow - 8, 9, nullptr, "a"}}), testing::HasSubstr("shared memory"));
  EXPECT_THAT(message({{kHeapWindow.end() - 1, 4, nullptr, "a"}}), testing::HasSubstr("the heap"));
  EXPECT_THAT(message({{~std::uint64_t{0}, 4, nullptr, "a"}}), testing::HasSubstr("'a'"));
}

TEST_F(AddressSpaceTest, AHeapAnswersForItsOwnAddresses) {
  auto memory = space();
  EXPECT_EQ(nullptr, memory.find(kHeapWindow.base, 1));
  memory.add_heap(std::byte{0x5a});
  const auto piece = memory.heap().allocate(16, 3).value();
  ASSERT_NE(nullptr, memory.find(piece, 16));
  EXPECT_EQ(std::byte{0x5a}, *memory.find(piece, 16)->host);
  EXPECT_EQ(nullptr, memory.find(piece, 17));
}

TEST(ZeroedBytes, AreZero) {
  const ZeroedBytes bytes(100);
  EXPECT_EQ(100U, bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(std::byte{0}, bytes.data()[i]);
  EXPECT_EQ(0U, ZeroedBytes(0).size());
}

}  // namespace warpgrade::sim::address_space_test
