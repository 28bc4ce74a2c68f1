// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/trial_memory.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace warpgrade::gpu {
namespace {

constexpr unsigned char kWiped = 0xa5;
/// Each buffer begins on a page of its own, as if it were allocated alone.
constexpr std::uint64_t kPage = std::uint64_t{2} << 20;
/// The driver goes on working on memory for a while after it has given it out: kernels that were
/// launched within a millisecond were 8 to 11 % slower on an H200 (driver 580.159.04), most of
/// those after 2 ms as fast as ever.
constexpr auto kSettle = std::chrono::milliseconds(5);

std::uint64_t pages_for(std::uint64_t bytes) {
  return (GuardedMemory::room_for(bytes) + kPage - 1) / kPage * kPage;
}

bool is_repeated(const Subject& subject, std::size_t buffer) {
  return (*subject.before)[buffer].bytes.size() < subject.sizes[buffer];
}

// Sends the bytes and doubles them until the memory is full.
void repeat(const Driver& driver, const GuardedMemory& memory, std::span<const std::byte> bytes) {
  memory.write(bytes);
  for (std::size_t done = bytes.size(); done < memory.size(); done *= 2) {
    DRIVER_CALL(driver, copy_on_device, memory.address() + done, memory.address(),
                std::min(done, memory.size() - done), nullptr);
  }
}

void turn(const Driver& driver, const GuardedMemory& to, DevicePointer from, std::uint64_t by) {
  const auto rest = to.size() - by;
  if (rest > 0) DRIVER_CALL(driver, copy_on_device, to.address(), from + by, rest, nullptr);
  if (by > 0) DRIVER_CALL(driver, copy_on_device, to.address() + rest, from, by, nullptr);
}

}  // namespace

std::vector<run::Buffer> content_of(const Subject& subject, std::size_t content) {
  auto buffers = *subject.before;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    auto& bytes = buffers[b].bytes;
    for (auto done = bytes.size(); done < subject.sizes[b]; done = bytes.size()) {
      bytes.resize(std::min<std::uint64_t>(2 * done, subject.sizes[b]));
      std::memcpy(bytes.data() + done, bytes.data(), bytes.size() - done);
    }
    const auto by = static_cast<std::ptrdiff_t>(subject.contents.at(content)[b]);
    std::rotate(bytes.begin(), bytes.begin() + by, bytes.end());
  }
  return buffers;
}

TrialMemory::TrialMemory(Session& session, const std::vector<Subject>& subjects)
    : session_(session), subjects_(subjects) {
  const auto& driver = session_.driver();
  for (const auto& subject : subjects) {
    auto& copies = inputs_.emplace_back(subject.sizes.size());
    std::uint64_t pages = 0;
    for (std::size_t b = 0; b < copies.size(); ++b) {
      pages += pages_for(subject.sizes[b]);
      const auto& bytes = (*subject.before)[b].bytes;
      if (is_repeated(subject, b) || bytes.empty()) continue;
      copies[b] = std::make_unique<Allocation>(driver, bytes.size());
      DRIVER_CALL(driver, copy_to_device, copies[b]->address(), bytes.data(), bytes.size());
    }
    bytes_ = std::max(bytes_, pages);
  }
  bytes_ += kMostPages * kPage;
  memory_ = std::make_unique<Allocation>(driver, bytes_);
  wipe();
  DRIVER_CALL(driver, context_synchronize);
  std::this_thread::sleep_for(kSettle);
}

void TrialMemory::move(std::uint64_t pages) { begin_ = std::min(pages, kMostPages) * kPage; }

DeviceBuffers TrialMemory::filled(std::size_t index, std::size_t content) const {
  const auto& driver = session_.driver();
  const auto& subject = subjects_.at(index);
  const auto& rotation = subject.contents.at(content);
  DeviceBuffers out;
  auto room = memory_->address() + begin_;
  for (std::size_t b = 0; b < subject.sizes.size(); ++b) {
    out.push_back(std::make_unique<GuardedMemory>(driver, subject.sizes[b], room));
    if (inputs_[index][b] != nullptr) {
      turn(driver, *out.back(), inputs_[index][b]->address(), rotation[b]);
    } else if (!(*subject.before)[b].bytes.empty()) {
      repeat(driver, *out.back(), (*subject.before)[b].bytes);
    }
    room += pages_for(subject.sizes[b]);
  }
  return out;
}

void TrialMemory::wipe() const {
  DRIVER_CALL(session_.driver(), fill, memory_->address(), kWiped, bytes_, nullptr);
}

}  // namespace warpgrade::gpu
