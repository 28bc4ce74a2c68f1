// SPDX-License-Identifier: Apache-2.0
// Finds the block whose stores make a result wrong.
//
// In: the memory accesses of a run, and the expected outputs. Out: the first block that stores
// another value than the expected one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "common/run/observer.h"
#include "common/verify/element.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"

namespace warpgrade::grader::grade {

/// Whether an element is right: equal, or a float within the tolerance of its array.
inline bool is_right_bytes(const cases::SizedBuffer& buffer, const std::byte* right,
                           const std::byte* mine) {
  if (std::memcmp(right, mine, verify::size_of(buffer.type)) == 0) return true;
  return verify::is_float(buffer.type) &&
         verify::is_within(buffer.type, right, mine, buffer.tolerance());
}

/// The first block that stores a wrong value to an output. For one host thread.
class WrongStores final : public run::Observer {
 public:
  WrongStores(const std::vector<cases::SizedBuffer>& buffers, const cases::Expected& expected)
      : buffers_(buffers), expected_(expected) {}

  std::unique_ptr<run::Observer> fork() const override {
    return std::make_unique<WrongStores>(buffers_, expected_);
  }
  void join(run::Observer& other) override {
    if (!block) block = static_cast<WrongStores&>(other).block;
  }
  void on_launch(const run::LaunchContext& context) override {
    addresses_ = *context.buffer_addresses;
  }
  void on_block_begin(std::uint64_t linear_block) override { block_ = linear_block; }
  void on_memory(const run::MemoryEvent& event) override {
    if (block || event.space != run::Space::kGlobal || event.data == nullptr) return;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      if ((event.mask >> lane & 1U) != 0) look_at(event, lane);
    }
  }

  std::optional<std::uint64_t> block;

 private:
  void look_at(const run::MemoryEvent& event, std::uint32_t lane) {
    for (std::size_t i = 0; i < buffers_.size() && i < addresses_.size(); ++i) {
      if (!buffers_[i].is_by_element()) continue;
      const auto& right = expected_.after[i].bytes;
      const auto size = verify::size_of(buffers_[i].type);
      const auto offset = event.address[lane] - addresses_[i];
      if (offset >= right.size()) continue;
      for (std::uint64_t at = 0; at + size <= event.bytes && offset + at + size <= right.size();
           at += size) {
        const auto* mine = event.data + std::size_t{lane} * event.bytes + at;
        if (!is_right_bytes(buffers_[i], &right[offset + at], mine)) block = block_;
      }
    }
  }

  const std::vector<cases::SizedBuffer>& buffers_;
  const cases::Expected& expected_;
  std::vector<std::uint64_t> addresses_;
  std::uint64_t block_ = 0;
};

}  // namespace warpgrade::grader::grade
