// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/launch_wire.h"

#include <gtest/gtest.h>

namespace warpgrade::gpu::launch_wire_test {

TEST(LaunchWire, ALaunchComesBackAsItWasSent) {
  run::Launch launch;
  launch.kernel = "copy";
  launch.grid = {7, 8, 9};
  launch.block = {32, 8, 1};
  launch.dynamic_shared_bytes = 4096;
  launch.arguments = {run::BufferArgument{1}, run::ValueArgument(3, std::byte{5})};
  const auto read = base::decode<run::Launch>(base::encode(launch));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ("copy", read->kernel);
  EXPECT_EQ(launch.grid, read->grid);
  EXPECT_EQ(launch.block, read->block);
  EXPECT_EQ(4096u, read->dynamic_shared_bytes);
  ASSERT_EQ(2u, read->arguments.size());
  EXPECT_EQ(1u, std::get<run::BufferArgument>(read->arguments[0]).index);
  EXPECT_EQ(std::get<run::ValueArgument>(launch.arguments[1]),
            std::get<run::ValueArgument>(read->arguments[1]));
}

TEST(LaunchWire, AStructWithAddressesComesBackAsItWasSent) {
  run::Launch launch;
  launch.arguments = {run::StructArgument{{std::byte{7}, std::byte{8}}, {{16, 3}}}};
  const auto read = base::decode<run::Launch>(base::encode(launch));
  ASSERT_TRUE(read.has_value());
  const auto& argument = std::get<run::StructArgument>(read->arguments.at(0));
  EXPECT_EQ((run::ValueArgument{std::byte{7}, std::byte{8}}), argument.bytes);
  ASSERT_EQ(1u, argument.pointers.size());
  EXPECT_EQ(16u, argument.pointers[0].offset);
  EXPECT_EQ(3u, argument.pointers[0].buffer);
}

TEST(LaunchWire, ABufferComesBackAsItWasSent) {
  run::Buffer buffer;
  buffer.name = "out";
  buffer.bytes = {std::byte{0}, std::byte{255}};
  buffer.element_bytes = 2;
  buffer.read_only = true;
  buffer.defined = false;
  const auto read = base::decode<run::Buffer>(base::encode(buffer));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ("out", read->name);
  EXPECT_EQ(buffer.bytes, read->bytes);
  EXPECT_EQ(2u, read->element_bytes);
  EXPECT_TRUE(read->read_only);
  EXPECT_FALSE(read->defined);
}

TEST(LaunchWire, ADiagnosticComesBackAsItWasSent) {
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kCompileError;
  diagnostic.where = {"copy.cu", 3, 5};
  diagnostic.message = "why";
  EXPECT_EQ(diagnostic, base::decode<base::Diagnostic>(base::encode(diagnostic)));
  diagnostic.block = base::Dim3{1, 2, 3};
  diagnostic.thread = base::Dim3{4, 5, 6};
  diagnostic.seen.launch = base::InLaunch{2, 3, "add"};
  const auto bytes = base::encode(diagnostic);
  EXPECT_EQ(diagnostic, base::decode<base::Diagnostic>(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(base::decode<base::Diagnostic>(bytes.substr(0, size)).has_value()) << size;
  }
}

}  // namespace warpgrade::gpu::launch_wire_test
