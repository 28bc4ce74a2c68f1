// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/timed_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "checked_launch_fixture.h"
#include "common/run/launch.h"
#include "common/sim/simulator.h"
#include "common/verify/element.h"
#include "host_fingerprint.h"

namespace warpgrade::gpu::timed_memory_test {

// Fingerprints: the differences that they detect, and that the kernel, run on the simulator,
// computes the host's value.

using testing::fingerprint;

constexpr FingerprintKey kKey{0x0123456789abcdefU, 0xfedcba9876543210U};

std::vector<std::byte> counting(std::size_t size) {
  std::vector<std::byte> out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>(i * 7 + 3);
  return out;
}

TEST(Fingerprint, EveryByteMatters) {
  auto bytes = counting(45);
  const auto right = fingerprint(bytes, kKey);
  for (auto& byte : bytes) {
    byte ^= std::byte{1};
    const auto other = fingerprint(bytes, kKey);
    EXPECT_NE(right.low, other.low);
    EXPECT_NE(right.high, other.high);
    byte ^= std::byte{1};
  }
  EXPECT_EQ(right, fingerprint(bytes, kKey));
}

TEST(Fingerprint, ThePlaceOfAWordMatters) {
  std::vector<std::byte> bytes(32);
  bytes[0] = std::byte{1};
  const auto first = fingerprint(bytes, kKey);
  std::swap(bytes[0], bytes[8]);
  const auto second = fingerprint(bytes, kKey);
  EXPECT_NE(first.low, second.low);
  EXPECT_NE(first.high, second.high);
}

TEST(Fingerprint, TheKeyMatters) {
  const auto bytes = counting(64);
  EXPECT_NE(fingerprint(bytes, kKey).low, fingerprint(bytes, {kKey.low + 1, kKey.high}).low);
  EXPECT_NE(fingerprint(bytes, kKey).high, fingerprint(bytes, {kKey.low, kKey.high + 1}).high);
  EXPECT_NE(random_key().low, random_key().low);
}

// By hand, for one word of zeros and the key 0: SplitMix64's finalizer maps 0 to 0, and ~0 to its
// published value 0xb4d055fcf2cbbd7b.
TEST(Fingerprint, OfOneZeroWordIsTheFinalizersValue) {
  const auto zero = fingerprint(std::vector<std::byte>(8), {0, 0});
  EXPECT_EQ(0U, zero.low);
  EXPECT_EQ(0xb4d055fcf2cbbd7bU, zero.high);
}

class FingerprintKernel : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FingerprintKernel, TakesTheSameAsTheHost) {
  const auto content = counting(GetParam());
  run::Launch launch;
  launch.kernel = kFingerprintKernel;
  launch.grid.x = 3;
  launch.block.x = 64;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1},
                      run::value_argument(std::uint64_t{content.size()}),
                      run::value_argument(kKey.low), run::value_argument(kKey.high)};
  std::vector<run::Buffer> buffers(2);
  buffers[0].name = "sums";
  buffers[0].bytes.resize(sizeof(Fingerprint));
  buffers[1].name = "data";
  buffers[1].bytes = content;
  buffers[1].read_only = true;
  sim::Simulator simulator(fingerprint_program("sm_90"));
  const auto result = simulator.launch(launch, buffers, {});
  ASSERT_TRUE(result.diagnostics.empty()) << result.diagnostics[0].message;
  Fingerprint found;
  std::memcpy(&found, buffers[0].bytes.data(), sizeof(found));
  EXPECT_EQ(fingerprint(content, kKey), found);
}

INSTANTIATE_TEST_SUITE_P(Sizes, FingerprintKernel,
                         ::testing::Values(1, 8, 13, 4096, 192 * 8, 192 * 8 * 3 + 5,
                                           (std::size_t{16} << 20) + 40));

template <typename Float>
std::uint64_t beyond_on_device(const std::vector<Float>& got, const std::vector<Float>& right,
                               std::uint64_t ulps, double difference) {
  const auto bytes = [](const std::vector<Float>& values) {
    const auto* const begin = reinterpret_cast<const std::byte*>(values.data());
    run::Buffer out;
    out.bytes.assign(begin, begin + values.size() * sizeof(Float));
    return out;
  };
  std::vector<run::Buffer> buffers = {{}, bytes(got), bytes(right)};
  buffers[0].bytes.resize(sizeof(std::uint64_t));
  run::Launch launch;
  launch.kernel = kBeyondKernel;
  launch.grid.x = 2;
  launch.block.x = 64;
  launch.arguments = {run::BufferArgument{0},
                      run::BufferArgument{1},
                      run::BufferArgument{2},
                      run::value_argument(std::uint64_t{got.size()}),
                      run::value_argument(std::uint64_t{sizeof(Float)}),
                      run::value_argument(ulps),
                      run::value_argument(difference)};
  sim::Simulator simulator(fingerprint_program("sm_90"));
  EXPECT_TRUE(simulator.launch(launch, buffers, {}).diagnostics.empty());
  std::uint64_t count = 0;
  std::memcpy(&count, buffers[0].bytes.data(), sizeof count);
  return count;
}

// Each special value beside each other one: the device counts the pairs that the host finds too far
// apart.
template <typename Float>
void expect_the_hosts_count(verify::ElementType type) {
  using Limits = std::numeric_limits<Float>;
  const Float one = 1;
  const std::vector<Float> values = {0,
                                     -Float{0},
                                     Limits::denorm_min(),
                                     -Limits::denorm_min(),
                                     one,
                                     std::nextafter(one, Float{2}),
                                     -one,
                                     Limits::max(),
                                     Limits::infinity(),
                                     -Limits::infinity(),
                                     Limits::quiet_NaN()};
  std::vector<Float> got;
  std::vector<Float> right;
  for (const auto x : values) {
    for (const auto y : values) {
      got.push_back(x);
      right.push_back(y);
    }
  }
  const double step = std::nextafter(one, Float{2}) - one;
  for (const verify::Tolerance tolerance : {verify::Tolerance{1, 0, false},
                                            {2, 0, false},
                                            {6, 0, false},
                                            {1, 1, false}}) {  // as much as a step at 1
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      expected += !verify::is_within(type, reinterpret_cast<const std::byte*>(&right[i]),
                                     reinterpret_cast<const std::byte*>(&got[i]), tolerance);
    }
    const double difference = tolerance.magnitude > 0 ? step : 0;
    EXPECT_EQ(expected, beyond_on_device(got, right, tolerance.ulps, difference));
  }
}

TEST(BeyondKernel, CountsFloatsAsTheHostDoes) {
  expect_the_hosts_count<float>(verify::ElementType::kF32);
  expect_the_hosts_count<double>(verify::ElementType::kF64);
}

// Timed launches share memory: what a launch finds in it, and what a launch can leave behind.

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
