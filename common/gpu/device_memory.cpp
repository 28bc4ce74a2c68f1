// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/device_memory.h"

#include <fmt/format.h>

namespace warpgrade::gpu {
namespace {

// The value depends on the position, so a shifted copy of a guard does not match.
std::byte guard_byte(std::size_t i) { return static_cast<std::byte>((i * 37 + 11) & 0xff); }

const std::vector<std::byte>& guard() {
  static const std::vector<std::byte> bytes = [] {
    std::vector<std::byte> g(kGuardBytes);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = guard_byte(i);
    return g;
  }();
  return bytes;
}

}  // namespace

Allocation::Allocation(const Driver& driver, std::size_t bytes) : driver_(driver) {
  DRIVER_CALL(driver_, memory_allocate, &address_, bytes);
}

Allocation::~Allocation() { static_cast<void>(driver_.memory_free(address_)); }

GuardedMemory::GuardedMemory(const Driver& driver, std::size_t bytes)
    : driver_(driver),
      bytes_(bytes),
      own_(std::make_unique<Allocation>(driver, room_for(bytes))),
      room_(own_->address()) {
  write_guards();
}

GuardedMemory::GuardedMemory(const Driver& driver, std::size_t bytes, DevicePointer room)
    : driver_(driver), bytes_(bytes), room_(room) {
  write_guards();
}

void GuardedMemory::write_guards() const {
  for (const DevicePointer at : {room_, address() + bytes_}) {
    DRIVER_CALL(driver_, copy_to_device, at, guard().data(), kGuardBytes);
  }
}

void GuardedMemory::write(std::span<const std::byte> content) const {
  if (content.empty()) return;
  DRIVER_CALL(driver_, copy_to_device, address(), content.data(), content.size());
}

void GuardedMemory::read(std::span<std::byte> content) const {
  if (content.empty()) return;
  DRIVER_CALL(driver_, copy_to_host, content.data(), address(), content.size());
}

std::optional<std::string> GuardedMemory::damage(const std::string& name) const {
  std::vector<std::byte> got(kGuardBytes);
  for (const bool after : {true, false}) {
    DRIVER_CALL(driver_, copy_to_host, got.data(), after ? address() + bytes_ : room_, kGuardBytes);
    std::size_t count = 0;
    std::size_t nearest = 0;  // nearest to the buffer
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
      if (got[i] == guard()[i]) continue;
      if (count == 0 || !after) nearest = i;
      ++count;
    }
    if (count == 0) continue;
    if (after) {
      return fmt::format("wrote {} byte{} past the end of {}, first at byte {} ({} has {} bytes)",
                         count, count == 1 ? "" : "s", name, bytes_ + nearest, name, bytes_);
    }
    return fmt::format("wrote {} byte{} before the start of {}, nearest at byte -{}", count,
                       count == 1 ? "" : "s", name, kGuardBytes - nearest);
  }
  return std::nullopt;
}

}  // namespace warpgrade::gpu
