// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/timed_memory.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "common/compile/compiler.h"
#include "common/compile/program.h"
#include "common/gpu/session.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

const char* const kFingerprintSource = R"(
using u64 = unsigned long long;

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): each bit of x reaches each of the result.
// The steps below are 2^64 divided by the golden ratio, and another odd number.
__device__ u64 mixed(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

extern "C" __global__ void fingerprint(u64* sums, const unsigned char* data, u64 bytes,
                                       u64 key_low, u64 key_high) {
  const u64 step = (u64)gridDim.x * blockDim.x;
  const u64 words = (bytes + 7) / 8;
  u64 low = 0;
  u64 high = 0;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) {
    u64 word = 0;
    if (8 * i + 8 <= bytes) {
      word = ((const u64*)data)[i];
    } else {
      for (u64 b = 8 * i; b < bytes; ++b) word |= (u64)data[b] << 8 * (b - 8 * i);
    }
    low += mixed(word ^ (i * 0x9e3779b97f4a7c15ULL + key_low));
    high += mixed(~word + (i * 0xd1342543de82ef95ULL ^ key_high));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    low += __shfl_down_sync(0xffffffffU, low, lanes);
    high += __shfl_down_sync(0xffffffffU, high, lanes);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sums, low);
    atomicAdd(sums + 1, high);
  }
}

extern "C" __global__ void beyond(u64* count, const unsigned char* got, const unsigned char* right,
                                  u64 elements, u64 bytes, u64 ulps, double difference) {
  const u64 sign = 1ULL << (8 * bytes - 1);
  const u64 infinity = bytes == 4 ? 0x7f800000ULL : 0x7ff0000000000000ULL;
  u64 found = 0;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < elements;
       i += (u64)gridDim.x * blockDim.x) {
    const u64 x = bytes == 4 ? ((const unsigned*)got)[i] : ((const u64*)got)[i];
    const u64 y = bytes == 4 ? ((const unsigned*)right)[i] : ((const u64*)right)[i];
    const u64 a = x & (sign - 1);
    const u64 b = y & (sign - 1);
    const u64 steps = (x ^ y) & sign ? a + b : a > b ? a - b : b - a;
    const bool is_finite = a < infinity && b < infinity;
    const double apart = bytes == 4 ? (double)__uint_as_float(x) - __uint_as_float(y)
                                    : __longlong_as_double(x) - __longlong_as_double(y);
    found += is_finite ? steps > ulps && fabs(apart) > difference : x != y || a > infinity;
  }
  if (found != 0) atomicAdd(count, found);
}

extern "C" __global__ void overwrite_shared(u64 bytes) {
  extern __shared__ u64 words[];
  volatile u64* each = words;
  for (u64 i = threadIdx.x; i < bytes / 8; i += blockDim.x) each[i] = 0xa5a5a5a5a5a5a5a5ULL;
}
)";

FingerprintKey random_key() {
  std::random_device source;
  const auto word = [&] { return std::uint64_t{source()} << 32 | source(); };
  return {word(), word()};
}

const compile::Program& fingerprint_program(const std::string& architecture) {
  return compile::own_program("the fingerprint kernel", "fingerprint.cu", kFingerprintSource,
                              architecture);
}

namespace {

constexpr unsigned char kWiped = 0xa5;
/// Each buffer begins on its own page, as in a separate allocation.
constexpr std::uint64_t kPage = std::uint64_t{2} << 20;
/// The driver keeps working on memory for a while after it returns an allocation: kernels launched
/// within a millisecond were 8 to 11 % slower on an H200 (driver 580.159.04), and most kernels
/// after 2 ms had full speed.
constexpr auto kSettle = std::chrono::milliseconds(5);
/// Bytes per transfer; a multiple of every element size.
constexpr std::uint64_t kPiece = std::uint64_t{4} << 20;

std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

std::uint64_t pages_for(std::uint64_t bytes) { return whole_pages(GuardedMemory::room_for(bytes)); }

std::unique_ptr<Allocation> sent(const Driver& driver, const run::Pattern& pattern) {
  auto memory = std::make_unique<Allocation>(driver, whole_pages(pattern.bytes));
  std::vector<std::byte> piece(std::min(kPiece, pattern.bytes));
  for (std::uint64_t done = 0; done < pattern.bytes; done += piece.size()) {
    piece.resize(std::min<std::uint64_t>(piece.size(), pattern.bytes - done));
    pattern.make(done, piece);
    DRIVER_CALL(driver, copy_to_device, memory->address() + done, piece.data(), piece.size());
  }
  return memory;
}

// Sends the bytes, then doubles them until the memory is full.
void repeat(const Driver& driver, const GuardedMemory& memory, std::span<const std::byte> bytes) {
  memory.write(bytes);
  for (std::size_t done = bytes.size(); done < memory.size(); done *= 2) {
    DRIVER_CALL(driver, copy_on_device, memory.address() + done, memory.address(),
                std::min(done, memory.size() - done), nullptr);
  }
}

std::vector<std::byte> turned(std::vector<std::byte> bytes, std::uint64_t by) {
  std::rotate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(by), bytes.end());
  return bytes;
}

void turn(const Driver& driver, const GuardedMemory& to, DevicePointer from, std::uint64_t by) {
  const auto rest = to.size() - by;
  if (rest > 0) DRIVER_CALL(driver, copy_on_device, to.address(), from + by, rest, nullptr);
  if (by > 0) DRIVER_CALL(driver, copy_on_device, to.address() + rest, from, by, nullptr);
}

}  // namespace

run::Buffer content_of(const TimedProgram& program, std::size_t content, std::size_t buffer) {
  auto out = run::made(program.before.at(buffer));
  out.bytes = turned(std::move(out.bytes), program.contents.at(content).at(buffer));
  return out;
}

TimedMemory::TimedMemory(Session& session, const std::vector<TimedProgram>& programs)
    : session_(session), programs_(programs) {
  const auto& driver = session_.driver();
  for (const auto& program : programs) {
    auto& sources = sources_.emplace_back();
    std::uint64_t pages = 0;
    for (const auto& pattern : program.before) {
      auto& source = sources.emplace_back();
      pages += pages_for(pattern.bytes);
      if (pattern.bytes == 0) continue;
      if (pattern.read_only && pattern.period == pattern.bytes) {
        source.copy = sent(driver, pattern);
      } else {
        source.period.resize(pattern.period);
        pattern.make(0, source.period);
      }
    }
    bytes_ = std::max(bytes_, pages);
  }
  bytes_ += kMostPages * kPage + kScratch;
  memory_ = std::make_unique<Allocation>(driver, bytes_);
  wipe();
  DRIVER_CALL(driver, context_synchronize);
  std::this_thread::sleep_for(kSettle);
}

void TimedMemory::move(std::uint64_t pages) { begin_ = std::min(pages, kMostPages) * kPage; }

DeviceBuffers TimedMemory::filled(std::size_t index, std::size_t content) const {
  const auto& driver = session_.driver();
  const auto& program = programs_.at(index);
  const auto& rotation = program.contents.at(content);
  DeviceBuffers out;
  auto room = memory_->address() + begin_;
  for (std::size_t b = 0; b < program.before.size(); ++b) {
    const auto& source = sources_[index][b];
    const auto bytes = program.before[b].bytes;
    out.push_back(std::make_unique<GuardedMemory>(driver, bytes, room));
    if (source.copy != nullptr) {
      turn(driver, *out.back(), source.copy->address(), rotation[b]);
    } else if (!source.period.empty()) {
      repeat(driver, *out.back(), turned(source.period, rotation[b]));
    }
    room += pages_for(bytes);
  }
  return out;
}

void TimedMemory::wipe() const {
  const auto& driver = session_.driver();
  DRIVER_CALL(driver, fill, memory_->address(), kWiped, bytes_, nullptr);
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    for (std::size_t b = 0; b < sources_[s].size(); ++b) {
      const auto& copy = sources_[s][b].copy;
      const auto bytes = programs_[s].before[b].bytes;
      const auto behind = whole_pages(bytes) - bytes;
      if (copy == nullptr || behind == 0) continue;
      DRIVER_CALL(driver, fill, copy->address() + bytes, kWiped, behind, nullptr);
    }
  }
}

}  // namespace warpgrade::gpu
