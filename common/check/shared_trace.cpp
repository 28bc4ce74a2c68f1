// SPDX-License-Identifier: Apache-2.0
#include "common/check/shared_trace.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/run/observer.h"

namespace warpgrade::check {
namespace {

// A trace that exceeds the host's caches would not be worth it.
constexpr std::size_t kMostSteps = std::size_t{1} << 16;
constexpr std::size_t kMostAddresses = std::size_t{1} << 17;
constexpr std::size_t kMostData = std::size_t{1} << 21;
// Kernels whose accesses depend on data never repeat, so recording stops soon.
constexpr std::uint32_t kMostRecordings = 4;
constexpr std::uint32_t kMostDiffering = 4;

}  // namespace

void SharedTrace::begin_block() {
  done_count_ = 0;
  data_count_ = 0;
  std::fill(at_.begin(), at_.end(), 0);
  if (is_known_ && differed_ < kMostDiffering) {
    state_ = State::kFollows;
    return;
  }
  forget();
  state_ = recordings_ < kMostRecordings && !warps_.empty() ? State::kRecords : State::kOff;
}

void SharedTrace::end_block(bool clean) {
  if (state_ == State::kFollows) {  // or has done the beginning of the trace, which is correct
    differed_ = 0;
  } else if (state_ == State::kLeft) {
    ++differed_;
  } else if (state_ == State::kRecords) {
    ++recordings_;
    is_known_ = clean;
    for (auto& steps : warps_) steps.emplace_back();
    done_.resize(steps_);
    data_.resize(data_bytes_);
  }
  state_ = State::kOff;
}

void SharedTrace::forget() {
  is_known_ = false;
  differed_ = 0;
  steps_ = 0;
  data_bytes_ = 0;
  for (auto& steps : warps_) steps.clear();
  addresses_.clear();
}

void SharedTrace::give_up() {
  forget();
  recordings_ = kMostRecordings;
  state_ = State::kOff;
}

bool SharedTrace::has_room() const {
  return steps_ < kMostSteps && addresses_.size() < kMostAddresses && data_bytes_ < kMostData;
}

bool SharedTrace::repeats(const run::BarrierEvent& event, std::uint64_t moment) {
  const bool is_block = event.scope == run::BarrierEvent::Scope::kBlock;
  const Step barrier = {.instruction = event.instruction,
                        .mask = event.mask,
                        .kind = is_block ? Kind::kBlockBarrier : Kind::kWarpBarrier};
  const auto is_next = [&](std::size_t warp) {
    const Step& step = warps_[warp][at_[warp]];
    return step.kind == barrier.kind && step.instruction == barrier.instruction &&
           step.mask == barrier.mask;
  };
  const auto number = static_cast<std::uint32_t>(moment);
  if (state_ == State::kFollows && is_block) {
    bool all = true;
    for (std::size_t warp = 0; warp < warps_.size(); ++warp) all = all && is_next(warp);
    if (all) {
      for (auto& at : at_) ++at;
      done_[done_count_++] = {number, kNone, kAllWarps};
      return true;
    }
  } else if (state_ == State::kFollows && is_next(event.warp)) {
    ++at_[event.warp];
    done_[done_count_++] = {number, kNone, static_cast<std::uint16_t>(event.warp)};
    return true;
  }
  if (state_ == State::kFollows) state_ = State::kDiffers;
  if (state_ == State::kRecords) {
    for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
      if (!is_block && warp != event.warp) continue;
      warps_[warp].push_back(barrier);
      ++steps_;
    }
    if (!has_room()) give_up();
  }
  return false;
}

bool SharedTrace::same_addresses(const run::MemoryEvent& event, const Step& step) const {
  const std::uint64_t* const known = addresses_.data() + step.addresses;
  std::uint64_t different = 0;
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) different |= known[i] ^ event.address[i];
  if (different == 0) return true;
  // Inactive lanes may contain anything.
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (known[lane] != event.address[lane]) return false;
  }
  return true;
}

bool SharedTrace::leave(const run::MemoryEvent& event) {
  if (state_ == State::kFollows) state_ = State::kDiffers;
  if (state_ == State::kRecords) record(event);
  return false;
}

void SharedTrace::record(const run::MemoryEvent& event) {
  const bool is_plain = !event.is_volatile && (event.operation == run::Operation::kLoad ||
                                               event.operation == run::Operation::kStore);
  if (!is_plain) return give_up();
  Step step;
  step.address = event.address[0];
  step.stride = event.stride;
  step.instruction = event.instruction;
  step.mask = event.mask;
  step.kind = Kind::kAccess;
  step.operation = event.operation;
  step.bytes = event.bytes;
  if (event.stride == run::kIrregular) {
    step.addresses = static_cast<std::uint32_t>(addresses_.size());
    addresses_.insert(addresses_.end(), event.address, event.address + run::kWarpSize);
  }
  step.has_data = event.data != nullptr;
  if (step.has_data) data_bytes_ += std::size_t{run::kWarpSize} * event.bytes;
  warps_[event.warp].push_back(step);
  ++steps_;
  if (!has_room()) give_up();
}

}  // namespace warpgrade::check
