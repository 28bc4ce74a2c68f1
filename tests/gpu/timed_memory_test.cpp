// SPDX-License-Identifier: Apache-2.0
// Timed launches share memory: what a launch finds in it, and what a launch can leave behind.
#include "common/gpu/timed_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "checked_launch_fixture.h"

namespace warpgrade::gpu::timed_memory_test {

TEST_F(CheckedLaunchTest, BuffersMoveByPagesOfTwoMebibytes) {
  fake().kernels["copy"] = [](void** arguments) {
    std::printf("%llu", reinterpret_cast<unsigned long long>(pointer(arguments, 0)));
  };
  auto launches = runner();
  const auto place = [&](std::uint64_t pages) {
    launches->renew(false, pages);
    return std::stoull(launches->run(0, 0).printed);
  };
  const auto first = place(0);
  EXPECT_EQ(first + (std::uint64_t{6} << 20), place(3));
  EXPECT_EQ(first + (std::uint64_t{16} << 20), place(100));
  EXPECT_EQ(first, place(0));
}

TEST_F(CheckedLaunchTest, ContentsAreTurnedAndRepeated) {
  EXPECT_EQ(bytes_of({-1, -1, -1, -1}), content_of(program_, 1, 0).bytes);
  EXPECT_EQ(bytes_of({3, 4, 1, 2}), content_of(program_, 1, 1).bytes);
  fake().kernels["copy"] = [](void** arguments) {
    for (int b = 0; b < 2; ++b) {
      for (int i = 0; i < 4; ++i) {
        std::printf("%g ", static_cast<double>(pointer(arguments, b)[i]));
      }
    }
  };
  EXPECT_EQ("-1 -1 -1 -1 3 4 1 2 ", run(1).printed);
}

// It has no copy on the device, because a launch could change the copy for later launches.
TEST_F(CheckedLaunchTest, ABufferInPlaceIsTurnedAndSentAnew) {
  run::Buffer x;
  x.name = "x";
  x.bytes = bytes_of({1, 2, 3, 4});
  program_.before[0] = run::pattern_of(x, 16);
  program_.contents = {{0, 0}, {12, 0}};
  program_.make_expected = [](Session&, const DeviceBuffers&) {};
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 4; ++i) {
      std::printf("%g ", static_cast<double>(pointer(arguments, 0)[i]));
      pointer(arguments, 0)[i] = 0;
    }
  };
  auto launches = runner();
  EXPECT_EQ("1 2 3 4 ", launches->run(0, 0).printed);
  EXPECT_EQ("4 1 2 3 ", launches->run(0, 1).printed);
  EXPECT_EQ("1 2 3 4 ", launches->run(0, 0).printed);
}

TEST_F(CheckedLaunchTest, ALargeInputIsSentInPieces) {
  constexpr std::uint64_t kLarge = std::uint64_t{10} << 20;
  auto& in = program_.before[1];
  in.bytes = in.period = kLarge;
  in.make = [](std::uint64_t first, std::span<std::byte> to) {
    for (std::uint64_t i = 0; i < to.size(); i += sizeof(float)) {
      const auto value = static_cast<float>((first + i) / sizeof(float));
      std::memcpy(to.data() + i, &value, sizeof(value));
    }
  };
  fake().kernels["copy"] = [](void** arguments) {
    bool right = true;
    for (std::uint64_t i = 0; i < kLarge / sizeof(float); ++i) {
      right = right && pointer(arguments, 1)[i] == static_cast<float>(i);
    }
    std::printf("%d", static_cast<int>(right));
  };
  program_.make_expected = [](Session&, const DeviceBuffers&) {};
  EXPECT_EQ("1", run().printed);
}

TEST_F(CheckedLaunchTest, WhatIsRepeatedFillsEverySize) {
  run::Buffer out;
  out.bytes = bytes_of({-1, -2, -3});
  program_.before[0] = run::pattern_of(out, 28);
  const auto whole = bytes_of({-1, -2, -3, -1, -2, -3, -1});
  EXPECT_EQ(whole, content_of(program_, 0, 0).bytes);
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 7; ++i) std::printf("%g ", static_cast<double>(pointer(arguments, 0)[i]));
  };
  program_.make_expected = [](Session&, const DeviceBuffers&) {};
  EXPECT_EQ("-1 -2 -3 -1 -2 -3 -1 ", run().printed);
}

// The other program's output is in a region that this program's launches never use, so only wiping
// removes it.
TEST_F(CheckedLaunchTest, WhatIsRightIsMadeByTheCoursesKernelAndLeftNowhere) {
  static const float* made;
  fake().kernels["reference"] = [](void** arguments) {
    made = pointer(arguments, 0);
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  auto other = program_;
  other.before = {program_.before[1], program_.before[0], program_.before[0]};
  other.contents = {{0, 0, 0}};
  auto launch = program_.sequence.first();
  launch.kernel = "reference";
  launch.arguments = {run::BufferArgument{2}, run::BufferArgument{0}};
  other.make_expected = made_by(code_, launch);
  others_ = {other};
  static int wiped;
  wiped = 0;
  fake().kernels[kOverwriteSharedKernel] = [](void**) { ++wiped; };
  static bool found;
  found = false;
  fake().kernels["copy"] = [](void** arguments) {
    found = found || wiped < 6;  // Two wipes for each of three contents.
    const auto right = bytes_of({1, 2, 3, 4});
    found = found || std::memcmp(made, right.data(), right.size()) == 0;
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  EXPECT_TRUE(run_here().matches);
  EXPECT_NE(nullptr, made);
  EXPECT_FALSE(found);
}

TEST_F(CheckedLaunchTest, NothingOfALaunchIsLeftWhenItIsOver) {
  fake().keep_freed = true;
  static const float* out;
  static const float* in;
  fake().kernels["copy"] = [](void** arguments) {
    out = pointer(arguments, 0);
    in = pointer(arguments, 1);
    std::copy_n(in, 4, pointer(arguments, 0));
  };
  ASSERT_TRUE(run_here().matches);
  for (const auto* buffer : {out, in}) {
    const std::vector<std::byte> left(reinterpret_cast<const std::byte*>(buffer),
                                      reinterpret_cast<const std::byte*>(buffer + 4));
    EXPECT_EQ(std::vector<std::byte>(16, std::byte{0xa5}), left);
  }
  EXPECT_EQ(0U, fake().memory.size());
}

constexpr std::size_t kPage = std::size_t{2} << 20;

// Allocations of one page that begin with these floats.
std::vector<std::byte*> pages_with(const std::vector<float>& content) {
  std::vector<std::byte*> out;
  const auto bytes = bytes_of(content);
  for (const auto& [address, memory] : fake().memory) {
    const bool is_page = fake().sizes[address] == kPage;
    if (is_page && std::equal(bytes.begin(), bytes.end(), memory.get())) {
      out.push_back(memory.get());
    }
  }
  return out;
}

TEST_F(CheckedLaunchTest, NothingIsLeftBehindTheCopyOfAnInput) {
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    for (auto* copy : pages_with({1, 2, 3, 4})) {
      std::printf("%d %d ", static_cast<int>(copy[16]), static_cast<int>(copy[kPage - 1]));
      copy[16] = copy[kPage - 1] = std::byte{1};
    }
  };
  auto launches = runner();
  EXPECT_EQ("165 165 ", launches->run(0, 0).printed);
  EXPECT_EQ("165 165 ", launches->run(0, 1).printed);
}

// In a copy of an output, a launch could leave the result for the next one.
TEST_F(CheckedLaunchTest, OnlyInputsHaveACopyOnTheDevice) {
  run::Buffer out;
  out.bytes = bytes_of({-1, -2, -3, -4});
  program_.before[0] = run::pattern_of(out, 16);
  fake().kernels["copy"] = [](void**) {
    std::printf("%zu %zu", pages_with({1, 2, 3, 4}).size(), pages_with({-1, -2, -3, -4}).size());
  };
  EXPECT_EQ("1 0", run().printed);
}

}  // namespace warpgrade::gpu::timed_memory_test
