// SPDX-License-Identifier: Apache-2.0
// Fingerprints: the differences that they detect, and that the kernel, run on the simulator,
// computes the host's value.
#include "common/gpu/fingerprint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "common/run/value_argument.h"
#include "common/sim/simulator.h"
#include "common/verify/ulps.h"
#include "host_fingerprint.h"

namespace warpgrade::gpu::fingerprint_test {

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
  sim::Simulator simulator;
  simulator.load(fingerprint_program("sm_90"));
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
  sim::Simulator simulator;
  simulator.load(fingerprint_program("sm_90"));
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

}  // namespace warpgrade::gpu::fingerprint_test
