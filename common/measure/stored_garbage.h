// SPDX-License-Identifier: Apache-2.0
// Finds the bytes of buffers in which a kernel stored an undefined value.
//
// A struct has padding bytes, and a copy of the struct copies them. Such a copy does not use them,
// so it must not be a finding. The compiler copies a struct in two ways: with wide integer stores
// that are only partly garbage, or member by member, with byte stores of the padding at the same
// source position. A store of garbage alone, as in out[i] = s.y, is a use.
//
// Not modelled: a member of a copied struct that was never written looks like padding until the
// kernel reads that member by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::measure {

class StoredGarbage final : public run::Observer {
 public:
  /// `garbage` fills all undefined bytes.
  explicit StoredGarbage(std::byte garbage) : garbage_(garbage) {}

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_memory(const run::MemoryEvent& event) override;

  /// Whether byte `offset` of `buffer` was stored as part of a value that is entirely garbage, or
  /// was changed by an atomic.
  bool is_used(std::size_t buffer, std::size_t offset) const {
    return buffer < used_.size() && offset < used_[buffer].size() && used_[buffer][offset];
  }

 private:
  void use(std::uint64_t address, std::uint32_t bytes);

  std::byte garbage_;
  std::vector<std::uint64_t> addresses_;   // by buffer
  std::vector<std::vector<bool>> used_;    // by buffer, then by byte
  std::vector<std::uint8_t> value_bytes_;  // by instruction: bytes of one value; 0: struct padding
};

}  // namespace warpgrade::measure
