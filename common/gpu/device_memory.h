// SPDX-License-Identifier: Apache-2.0
// Device memory of one buffer between guard bytes that reveal writes past either end.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/gpu/driver.h"

namespace warpgrade::gpu {

/// Guard bytes on each side of a buffer; writes further away go unnoticed.
constexpr std::size_t kGuardBytes = 4096;

/// An allocation that is freed at the end of its life, ignoring errors.
class Allocation {
 public:
  Allocation(const Driver& driver, std::size_t bytes);
  ~Allocation();
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  DevicePointer address() const { return address_; }

 private:
  const Driver& driver_;
  DevicePointer address_ = 0;
};

class GuardedMemory {
 public:
  /// Allocates room for `bytes` bytes, aligned to 256, and writes the guards.
  GuardedMemory(const Driver& driver, std::size_t bytes);
  /// The same in existing memory of the caller: room_for(bytes) bytes at `room`.
  GuardedMemory(const Driver& driver, std::size_t bytes, DevicePointer room);
  static std::size_t room_for(std::size_t bytes) { return bytes + 2 * kGuardBytes; }

  DevicePointer address() const { return room_ + kGuardBytes; }
  std::size_t size() const { return bytes_; }
  void write(std::span<const std::byte> content) const;
  void read(std::span<std::byte> content) const;

  /// "wrote 4 bytes past the end of out, first at byte 4096 (out has 4096 bytes)" if a guard
  /// changed; `name` is the buffer's name.
  std::optional<std::string> damage(const std::string& name) const;

 private:
  void write_guards() const;

  const Driver& driver_;
  std::size_t bytes_;
  std::unique_ptr<Allocation> own_;
  DevicePointer room_;
};

}  // namespace warpgrade::gpu
