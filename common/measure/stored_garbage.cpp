// SPDX-License-Identifier: Apache-2.0
#include "common/measure/stored_garbage.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::measure {
namespace {

bool is_store(const ptx::Instruction& in) {
  return ptx::facts(in).memory == ptx::MemoryRole::kStore && in.type_count > 0 &&
         !in.operands.empty() && in.operands[0].kind == ptx::Operand::Kind::kAddress &&
         !in.operands[0].elements.empty();
}

std::int64_t bytes_of(const ptx::Instruction& in) {
  return std::int64_t{ptx::size_of(in.types[0])} * in.vector;
}

bool is_float(ptx::Type type) { return type == ptx::Type::kF32 || type == ptx::Type::kF64; }

bool is_byte(const ptx::Instruction& in) { return ptx::size_of(in.types[0]) == 1; }

// Whether b stores directly after a, at the same source position and through the same pointer.
bool is_next(const ptx::Instruction& a, const ptx::Instruction& b) {
  const auto& at = a.operands[0];
  const auto& other = b.operands[0];
  const bool same_base = at.elements[0].kind == other.elements[0].kind &&
                         at.elements[0].index == other.elements[0].index;
  return a.location == b.location && a.space == b.space && same_base &&
         at.offset + bytes_of(a) == other.offset;
}

// Stores that may be the padding of a struct that is copied member by member: bytes beside a wider
// store, and integers after such bytes. An unrolled copy of a byte array has no wider store in its
// middle.
std::vector<bool> struct_padding(const std::vector<ptx::Instruction>& all) {
  std::vector<bool> found(all.size());
  std::vector<std::size_t> stores;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_store(all[i])) stores.push_back(i);
  }
  const auto may_be = [&](std::size_t i) {
    return std::any_of(stores.begin(), stores.end(), [&](std::size_t j) {
      if (!is_byte(all[i])) return found[j] && is_byte(all[j]) && is_next(all[j], all[i]);
      return (found[j] || !is_byte(all[j])) && (is_next(all[j], all[i]) || is_next(all[i], all[j]));
    });
  };
  for (bool more = true; more;) {
    more = false;
    for (const auto i : stores) {
      if (found[i] || is_float(all[i].types[0]) || !may_be(i)) continue;
      found[i] = more = true;
    }
  }
  return found;
}

}  // namespace

std::unique_ptr<run::Observer> StoredGarbage::fork() const {
  return std::make_unique<StoredGarbage>(garbage_);
}

void StoredGarbage::join(run::Observer& observer) {
  const auto& other = static_cast<const StoredGarbage&>(observer);
  used_.resize(std::max(used_.size(), other.used_.size()));
  for (std::size_t b = 0; b < other.used_.size(); ++b) {
    auto& mine = used_[b];
    mine.resize(std::max(mine.size(), other.used_[b].size()));
    std::transform(other.used_[b].begin(), other.used_[b].end(), mine.begin(), mine.begin(),
                   std::logical_or<>());
  }
}

void StoredGarbage::on_launch(const run::LaunchContext& context) {
  used_.clear();
  addresses_ = *context.buffer_addresses;
  for (const auto& buffer : *context.buffers) {
    used_.emplace_back(buffer.read_only ? 0 : buffer.bytes.size());
  }
  const auto& all = context.function->instructions;
  const auto padding = struct_padding(all);
  value_bytes_.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A vector of floats is several values. A vector of integers may be any struct.
    const auto one = is_store(all[i]) && is_float(all[i].types[0])
                         ? std::int64_t{ptx::size_of(all[i].types[0])}
                     : is_store(all[i]) ? bytes_of(all[i])
                                        : 1;
    value_bytes_.push_back(padding[i] ? 0 : static_cast<std::uint8_t>(one));
  }
}

void StoredGarbage::on_memory(const run::MemoryEvent& event) {
  if (event.space != run::Space::kGlobal || event.operation == run::Operation::kLoad) return;
  const bool is_store = event.operation == run::Operation::kStore && event.data != nullptr;
  const std::uint32_t value = is_store ? value_bytes_[event.instruction] : event.bytes;
  if (value == 0) return;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    for (std::uint32_t at = 0; at < event.bytes; at += value) {
      const auto size = std::min(value, event.bytes - at);
      const auto* data = is_store ? event.data + std::size_t{lane} * event.bytes + at : nullptr;
      const bool is_garbage = data == nullptr || std::all_of(data, data + size, [&](auto byte) {
                                return byte == garbage_;
                              });
      if (is_garbage) use(event.address[lane] + at, size);
    }
  }
}

void StoredGarbage::use(std::uint64_t address, std::uint32_t bytes) {
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const auto offset = address - addresses_[b];
    if (offset >= used_[b].size() || bytes > used_[b].size() - offset) continue;
    std::fill_n(used_[b].begin() + static_cast<std::ptrdiff_t>(offset), bytes, true);
    return;
  }
}

}  // namespace warpgrade::measure
