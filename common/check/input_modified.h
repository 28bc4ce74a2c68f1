// SPDX-License-Identifier: Apache-2.0
// Finds stores and atomics to input buffers, which a kernel must not modify.
#pragma once

#include <cstdint>

#include "common/check/checker.h"

namespace warpgrade::check {

class InputModified final : public Checker<InputModified> {
 public:
  static constexpr Needs kNeeds = Needs::kGlobalWrites;

 private:
  friend Checker<InputModified>;
  void memory(const run::MemoryEvent& event);

  void report(const run::MemoryEvent& event, std::uint32_t lane, const BufferView& buffer);
};

}  // namespace warpgrade::check
