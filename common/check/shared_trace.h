// SPDX-License-Identifier: Apache-2.0
// Records the shared memory accesses of one block, to recognise blocks that do exactly the same.
//
// Most kernels use shared memory alike in every block: the same instructions of the same warps at
// the same offsets, between the same barriers. If such a trace was checked without findings for all
// values, every block that repeats it is also correct, and one comparison per event is enough. A
// block that differs at any point must be checked from its beginning: the trace then plays back the
// block's earlier events.
//
// Traces are compared warp by warp, with a mark at every barrier of the block, because the order of
// warps between two barriers does not affect the findings of the shared memory checkers. Traces
// contain no atomics or volatile accesses, with which threads can order each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::check {

class SharedTrace {
 public:
  explicit SharedTrace(std::uint32_t warps = 0) : warps_(warps), at_(warps) {}

  std::uint32_t warps() const { return static_cast<std::uint32_t>(warps_.size()); }

  /// Starts a block, which is compared with the trace if one exists, and otherwise recorded as the
  /// next one.
  void begin_block();
  /// Ends the block; its recording becomes the trace if the block was `clean`.
  void end_block(bool clean);

  /// Whether the block has repeated the trace up to and including this event; then it need not be
  /// checked. `moment` is the event's number in its block. At the first event that differs,
  /// must_play_back() becomes true until the caller has played back.
  bool repeats(const run::MemoryEvent& event, std::uint64_t moment) {
    if (state_ == State::kFollows) {
      const Step& step = warps_[event.warp][at_[event.warp]];
      if (step.is_same(event) && (step.addresses == kNone || same_addresses(event, step))) {
        follow(event, moment);
        return true;
      }
    }
    return leave(event);
  }
  bool repeats(const run::BarrierEvent& event, std::uint64_t moment);

  bool must_play_back() const { return state_ == State::kDiffers; }
  /// Calls on_event(event, moment) for the block's events before the one that differed.
  template <typename Function>
  void play_back(const Function& on_event);

 private:
  enum class State : std::uint8_t { kOff, kRecords, kFollows, kDiffers, kLeft };
  enum class Kind : std::uint8_t { kEnd, kAccess, kBlockBarrier, kWarpBarrier };
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint16_t kAllWarps = 0xffffU;

  /// One step of a warp.
  struct Step {
    std::uint64_t address = 0;  ///< Lane 0's address, for an access with a stride.
    std::int64_t stride = 0;
    std::uint32_t instruction = 0;
    std::uint32_t mask = 0;
    Kind kind = Kind::kEnd;
    run::Operation operation{};
    std::uint8_t bytes = 0;
    bool has_data = false;
    std::uint32_t addresses = kNone;  ///< Without a stride: index of its 32 addresses.

    bool is_same(const run::MemoryEvent& event) const {
      return kind == Kind::kAccess && instruction == event.instruction && mask == event.mask &&
             stride == event.stride && operation == event.operation && bytes == event.bytes &&
             !event.is_volatile && has_data == (event.data != nullptr) &&
             (addresses != kNone || address == event.address[0]);
    }
  };
  /// One step of the compared block: its warp, its moment and its data.
  struct Done {
    std::uint32_t moment = 0;
    std::uint32_t data = kNone;
    std::uint16_t warp = 0;
  };

  bool same_addresses(const run::MemoryEvent& event, const Step& step) const;
  void follow(const run::MemoryEvent& event, std::uint64_t moment) {
    ++at_[event.warp];
    Done& done = done_[done_count_++];
    done = {static_cast<std::uint32_t>(moment), kNone, static_cast<std::uint16_t>(event.warp)};
    if (event.data == nullptr) return;
    done.data = data_count_;
    data_count_ += run::kWarpSize * event.bytes;
    std::memcpy(data_.data() + done.data, event.data, std::size_t{run::kWarpSize} * event.bytes);
  }
  bool leave(const run::MemoryEvent& event);
  void record(const run::MemoryEvent& event);
  bool has_room() const;
  void give_up();
  void forget();

  State state_ = State::kOff;
  bool is_known_ = false;                 ///< warps_ is the trace of a whole block.
  std::uint32_t recordings_ = 0;          ///< Made so far.
  std::uint32_t differed_ = 0;            ///< Consecutive blocks that did not repeat the trace.
  std::size_t steps_ = 0;                 ///< In the traces of all warps.
  std::size_t data_bytes_ = 0;            ///< Stored by all of these steps.
  std::vector<std::vector<Step>> warps_;  ///< By warp; a complete trace ends with kEnd.
  std::vector<std::uint64_t> addresses_;
  std::vector<std::uint32_t> at_;  ///< By warp: the next step of the compared block.
  // Steps and data of the compared block: the first done_count_ and data_count_ are used, with room
  // for the whole trace.
  std::vector<Done> done_;
  std::vector<std::byte> data_;
  std::uint32_t done_count_ = 0;
  std::uint32_t data_count_ = 0;
};

template <typename Function>
void SharedTrace::play_back(const Function& on_event) {
  at_.assign(at_.size(), 0);
  for (std::uint32_t i = 0; i < done_count_; ++i) {
    const Done& done = done_[i];
    if (done.warp == kAllWarps) {
      run::BarrierEvent event;
      event.scope = run::BarrierEvent::Scope::kBlock;
      event.instruction = warps_.front()[at_.front()].instruction;
      for (auto& at : at_) ++at;
      on_event(event, std::uint64_t{done.moment});
      continue;
    }
    const Step& step = warps_[done.warp][at_[done.warp]++];
    if (step.kind == Kind::kWarpBarrier) {
      on_event(run::BarrierEvent{run::BarrierEvent::Scope::kWarp, step.instruction, done.warp,
                                 step.mask},
               std::uint64_t{done.moment});
      continue;
    }
    std::uint64_t lanes[run::kWarpSize];
    for (std::uint32_t l = 0; l < run::kWarpSize && step.addresses == kNone; ++l) {
      lanes[l] = step.address + l * static_cast<std::uint64_t>(step.stride);
    }
    run::MemoryEvent event;
    event.instruction = step.instruction;
    event.warp = done.warp;
    event.mask = step.mask;
    event.space = run::Space::kShared;
    event.operation = step.operation;
    event.bytes = step.bytes;
    event.stride = step.stride;
    event.address = step.addresses == kNone ? lanes : addresses_.data() + step.addresses;
    event.data = done.data == kNone ? nullptr : data_.data() + done.data;
    on_event(event, std::uint64_t{done.moment});
  }
  state_ = State::kLeft;
}

}  // namespace warpgrade::check
