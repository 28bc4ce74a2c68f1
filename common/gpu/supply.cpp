// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/supply.h"

#include <algorithm>

namespace warpgrade::gpu {
namespace {

constexpr Status kOutOfMemory = 2;
constexpr std::size_t kLeastSent = std::size_t{1} << 20;  // A multiple of every period.

}  // namespace

void Supply::fill(const GuardedMemory& memory, std::span<const std::byte> content,
                  std::size_t period) {
  if (content.size() <= kLeastSent) return memory.write(content);
  if (period == 0) {
    const Allocation* source = kept(content);
    if (source == nullptr) return memory.write(content);
    DRIVER_CALL(driver_, copy_on_device, memory.address(), source->address(), content.size(),
                nullptr);
    return;
  }
  DRIVER_CALL(driver_, copy_to_device, memory.address(), content.data(), kLeastSent);
  for (std::size_t done = kLeastSent; done < content.size(); done *= 2) {
    DRIVER_CALL(driver_, copy_on_device, memory.address() + done, memory.address(),
                std::min(done, content.size() - done), nullptr);
  }
}

const Allocation* Supply::kept(std::span<const std::byte> content) {
  auto& place = kept_[content.data()];
  if (place != nullptr) return place.get();
  try {
    place = std::make_unique<Allocation>(driver_, content.size());
  } catch (const DriverError& error) {
    if (error.status() != kOutOfMemory) throw;
    return nullptr;
  }
  DRIVER_CALL(driver_, copy_to_device, place->address(), content.data(), content.size());
  return place.get();
}

}  // namespace warpgrade::gpu
