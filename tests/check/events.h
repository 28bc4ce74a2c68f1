// SPDX-License-Identifier: Apache-2.0
// A launch without a simulator: tests send the events of each warp one by one.
//
// Instruction i is at line 10 + i of "kernel.cu", so a test's calls show the lines that its message
// names. Shared memory contains `tile` (the first 1024 bytes) and `partial` (the rest). The buffers
// are "in", an input, and "out", an output that starts undefined; each has 256 floats.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/observer.h"

namespace warpgrade::check {

constexpr std::uint64_t kIn = 0x10000;
constexpr std::uint64_t kOut = 0x20000;
constexpr std::uint32_t kInstructions = 40;

class Launch {
 public:
  explicit Launch(base::Dim3 block = {64, 1, 1}, base::Dim3 grid = {4, 2, 1}) {
    launch_.grid = grid;
    launch_.block = block;
    function_.locations.emplace_back();
    for (std::uint32_t i = 0; i < kInstructions; ++i) {
      function_.locations.push_back({"kernel.cu", 10 + i, 3});
      ptx::Instruction instruction;
      instruction.location = i + 1;
      instruction.ptx_line = 100 + i;
      function_.instructions.push_back(instruction);
    }
    for (const auto* name : {"in", "out"}) {
      run::Buffer buffer;
      buffer.name = name;
      buffer.bytes.resize(1024);
      buffers_.push_back(buffer);
    }
    buffers_[0].read_only = true;
    buffers_[1].defined = false;
    context_.launch = &launch_;
    context_.module = &module_;
    context_.function = &function_;
    context_.buffers = &buffers_;
    context_.buffer_addresses = &addresses_;
    context_.shared_bytes = 2048;
    context_.warps_per_block = static_cast<std::uint32_t>((base::volume(block) + 31) / 32);
    context_.shared_variables = {{"_ZZ9transposePfPKfiiE4tile", 0, 1024}, {"partial", 1024, 1024}};
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  const run::LaunchContext& context() const { return context_; }
  run::LaunchContext& context() { return context_; }
  ptx::Function& function() { return function_; }
  std::vector<run::Buffer>& buffers() { return buffers_; }

 private:
  run::Launch launch_;
  ptx::Module module_;
  ptx::Function function_;
  std::vector<run::Buffer> buffers_;
  std::vector<std::uint64_t> addresses_ = {kIn, kOut};
  run::LaunchContext context_;
};

using Address = std::function<std::uint64_t(std::uint32_t lane)>;

/// first + lane * stride.
inline Address strided(std::uint64_t first, std::int64_t stride) {
  return [=](std::uint32_t lane) {
    return first + static_cast<std::uint64_t>(static_cast<std::int64_t>(lane) * stride);
  };
}

/// Sends the accesses and barriers of one warp to an observer. Each access starts with the index of
/// its instruction.
class Warp {
 public:
  explicit Warp(run::Observer& observer, std::uint32_t warp = 0)
      : observer_(observer), warp_(warp) {}

  void load(std::uint32_t instruction, const Address& address, std::uint32_t mask = run::kFullMask,
            std::uint8_t bytes = 4, run::Space space = run::Space::kShared) {
    access(instruction, run::Operation::kLoad, address, mask, bytes, space, nullptr);
  }
  /// Lane i stores value(i) in each of its 4-byte words, cut to the width of the access.
  void store(
      std::uint32_t instruction, const Address& address, std::uint32_t mask = run::kFullMask,
      std::uint8_t bytes = 4, run::Space space = run::Space::kShared,
      const std::function<std::uint32_t(std::uint32_t)>& value = [](std::uint32_t lane) {
        return lane + 1;
      }) {
    std::array<std::byte, run::kWarpSize * 16> data{};
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      const std::uint32_t word = value(lane);
      for (std::uint32_t i = 0; i < bytes; ++i) {
        data[lane * bytes + i] = static_cast<std::byte>(word >> (8 * (i % 4)));
      }
    }
    access(instruction, run::Operation::kStore, address, mask, bytes, space, data.data());
  }
  void atomic(std::uint32_t instruction, const Address& address,
              std::uint32_t mask = run::kFullMask, run::Space space = run::Space::kShared) {
    access(instruction, run::Operation::kAtomic, address, mask, 4, space, nullptr);
  }
  void sync(std::uint32_t mask = run::kFullMask) {
    observer_.on_barrier({run::BarrierEvent::Scope::kWarp, 0, warp_, mask});
  }

 private:
  void access(std::uint32_t instruction, run::Operation operation, const Address& address,
              std::uint32_t mask, std::uint8_t bytes, run::Space space, const std::byte* data) {
    std::array<std::uint64_t, run::kWarpSize> addresses;
    addresses.fill(0xdeadbeefdeadbeef);  // Lanes outside the mask may have any address.
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      if ((mask >> lane & 1) != 0) addresses[lane] = address(lane);
    }
    run::MemoryEvent event;
    event.instruction = instruction;
    event.warp = warp_;
    event.mask = mask;
    event.space = space;
    event.operation = operation;
    event.bytes = bytes;
    event.address = addresses.data();
    event.data = data;
    if (mask == run::kFullMask) {
      const auto step = static_cast<std::int64_t>(addresses[1] - addresses[0]);
      event.stride = step;
      for (std::uint32_t lane = 2; lane < run::kWarpSize; ++lane) {
        if (static_cast<std::int64_t>(addresses[lane] - addresses[lane - 1]) != step) {
          event.stride = run::kIrregular;
        }
      }
    }
    observer_.on_memory(event);
  }

  run::Observer& observer_;
  std::uint32_t warp_;
};

/// __syncthreads().
inline void sync_block(run::Observer& observer) {
  observer.on_barrier({run::BarrierEvent::Scope::kBlock, 0, 0, 0});
}

}  // namespace warpgrade::check
