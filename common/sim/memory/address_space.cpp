// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/sim/memory/heap.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {
namespace {

/// Distance between the variables of a module with `count` of them.
constexpr std::uint64_t variable_gap(std::uint64_t count) {
  return count <= kFewVariables ? kGap : kSmallGap;
}

constexpr std::uint64_t kNullPage = 4096;
// Limit on a kernel's parameters (PTX ISA 9.0, 5.1.6.1).
constexpr std::uint64_t kMostParameterBytes = 32764;

std::uint64_t round_up_to(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// The buffer that `address` belongs to with a negative index that was converted to unsigned: 2^32 -
// k for a small k. The smallest k wins; nullptr if no buffer matches.
const Region* buffer_with_unsigned_index(const std::vector<Region>& regions,
                                         std::uint64_t address) {
  const Region* found = nullptr;
  std::int64_t highest = 0;
  for (const auto& region : regions) {
    if (!region.is_buffer || address < region.base) continue;
    const auto index = static_cast<std::int64_t>((address - region.base) / region.element_bytes);
    if (index < highest || !base::is_wrapped_index(index)) continue;
    found = &region;
    highest = index;
  }
  return found;
}

}  // namespace

ZeroedBytes::ZeroedBytes(std::size_t size)
    : bytes_(static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1))), size_(size) {
  if (bytes_ == nullptr) throw std::bad_alloc();
}

AddressSpace::AddressSpace(const ptx::Module& module, const ptx::Function& kernel,
                           const run::Launch& launch, std::vector<run::Buffer>& buffers) {
  for (auto& buffer : buffers) {
    if (!buffer.symbol.empty()) {
      symbols_.push_back(&buffer);
      buffer_addresses_.push_back(next_buffer_address());
      continue;
    }
    add_buffer(buffer.name, buffer.element_bytes, buffer.bytes.size(), buffer.bytes.data(),
               nullptr);
  }
  finish(module, kernel, launch);
}

AddressSpace::AddressSpace(const ptx::Module& module, const ptx::Function& kernel,
                           const run::Launch& launch, std::vector<SparseBuffer>& buffers) {
  for (auto& buffer : buffers) {
    const auto& pattern = buffer.pattern();
    add_buffer(pattern.name, pattern.element_bytes, pattern.bytes, nullptr, &buffer);
  }
  finish(module, kernel, launch);
}

std::uint64_t AddressSpace::next_buffer_address() const {
  if (regions_.empty()) return kBufferBase;
  return round_up_to(regions_.back().base + regions_.back().bytes + kGap, kRegionAlignment);
}

void AddressSpace::add_buffer(const std::string& name, std::uint32_t element_bytes,
                              std::uint64_t bytes, std::byte* host, SparseBuffer* sparse) {
  const auto base = next_buffer_address();
  buffer_addresses_.push_back(base);
  auto& region = regions_.emplace_back();
  region.base = base;
  region.bytes = bytes;
  region.host = host;
  region.name = name;
  region.element_bytes = std::max<std::uint32_t>(element_bytes, 1);
  region.is_buffer = true;
  region.sparse = sparse;
}

void AddressSpace::finish(const ptx::Module& module, const ptx::Function& kernel,
                          const run::Launch& launch) {
  add_variables(module);
  add_parameters(kernel, launch);
  std::sort(regions_.begin(), regions_.end(),
            [](const Region& a, const Region& b) { return a.base < b.base; });
  check_no_overlap(regions_);
}

void AddressSpace::add_grid_workspace() {
  grid_workspace_ = ZeroedBytes(8);
  const Region region{kGridWorkspace,
                      grid_workspace_.size(),
                      grid_workspace_.data(),
                      "the workspace of the grid",
                      1,
                      false};
  regions_.insert(
      std::upper_bound(regions_.begin(), regions_.end(), region,
                       [](const Region& a, const Region& b) { return a.base < b.base; }),
      region);
  check_no_overlap(regions_);
}

void AddressSpace::add_variables(const ptx::Module& module) {
  const auto gap_of = [&](ptx::StateSpace space) {
    const auto count = static_cast<std::uint64_t>(
        std::ranges::count(module.variables, space, &ptx::Variable::space));
    if (count <= kMostVariables) return variable_gap(count);
    throw base::UsageError(fmt::format(
        "the module has {} {} variables; the simulator has room for {}", count,
        space == ptx::StateSpace::kGlobal ? "__device__" : "__constant__", kMostVariables));
  };
  const auto global_gap = gap_of(ptx::StateSpace::kGlobal);
  const auto constant_gap = gap_of(ptx::StateSpace::kConstant);
  auto next_global = kVariableWindow.base;
  auto next_constant = kConstantWindow.base;
  std::uint64_t room = kMostVariableBytes;
  for (const auto& variable : module.variables) {
    variable_addresses_.push_back(0);
    variables_.emplace_back();
    const bool is_constant = variable.space == ptx::StateSpace::kConstant;
    if (variable.space != ptx::StateSpace::kGlobal && !is_constant) continue;
    if (variable.bytes > room) {
      throw base::UsageError(
          fmt::format("the __device__ variables do not fit: '{}' has {} bytes, {} are left; the "
                      "simulator has room for {}",
                      base::source_name(variable.name), variable.bytes, room, kMostVariableBytes));
    }
    room -= variable.bytes;
    auto& next = is_constant ? next_constant : next_global;
    variable_addresses_.back() = next;
    regions_.push_back(
        {next, variable.bytes, bytes_of_variable(variable), variable.name, 1, false});
    next = round_up_to(next + variable.bytes + (is_constant ? constant_gap : global_gap),
                       kRegionAlignment);
  }
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    if (variables_[i].size() != module.variables[i].bytes) continue;  // a symbol's
    for (const auto& relocation : module.variables[i].relocations) {
      if (relocation.offset + 8 > variables_[i].size()) {
        throw base::ToolError("a variable that holds half an address is not simulated");
      }
      const auto symbol = relocation.is_function ? function_address(relocation.index)
                                                 : variable_addresses_[relocation.index];
      const auto value = symbol + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(variables_[i].data() + relocation.offset, &value, sizeof value);
    }
  }
}

// The bytes of the variable that was added last: a symbol's, or new ones with its initial values.
std::byte* AddressSpace::bytes_of_variable(const ptx::Variable& variable) {
  const auto bound = std::find_if(symbols_.begin(), symbols_.end(), [&](const run::Buffer* one) {
    return one->symbol == variable.name;
  });
  if (bound == symbols_.end()) {
    auto& bytes = variables_.back() = ZeroedBytes(variable.bytes);
    std::copy(variable.initial.begin(), variable.initial.end(), bytes.data());
    return bytes.data();
  }
  if ((*bound)->bytes.size() != variable.bytes) {
    throw base::UsageError(fmt::format("the variable '{}' has {} bytes, {} were given",
                                       variable.name, variable.bytes, (*bound)->bytes.size()));
  }
  return (*bound)->bytes.data();
}

void AddressSpace::set_variables(const std::vector<std::vector<std::byte>>& contents) {
  for (std::size_t i = 0; i < contents.size(); ++i) {
    std::copy(contents[i].begin(), contents[i].end(), variables_.at(i).data());
  }
}

std::vector<std::vector<std::byte>> AddressSpace::kept_variables() const {
  std::vector<std::vector<std::byte>> contents;
  for (const auto& bytes : variables_) {
    contents.emplace_back(bytes.data(), bytes.data() + bytes.size());
  }
  return contents;
}

void AddressSpace::add_parameters(const ptx::Function& kernel, const run::Launch& launch) {
  if (launch.arguments.size() != kernel.parameters.size()) {
    throw base::UsageError(fmt::format("kernel '{}' takes {} parameters, {} were given",
                                       kernel.name, kernel.parameters.size(),
                                       launch.arguments.size()));
  }
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& parameter = kernel.parameters[i];
    const auto offset = round_up_to(parameters_.size(), parameter.alignment);
    parameter_offsets_.push_back(static_cast<std::uint32_t>(offset));
    if (parameter.bytes > kMostParameterBytes || offset + parameter.bytes > kMostParameterBytes) {
      throw base::UsageError(fmt::format("kernel '{}' has more than {} bytes of parameters",
                                         kernel.name, kMostParameterBytes));
    }
    parameters_.resize(offset + parameter.bytes);
    const auto value = run::bytes_of(launch.arguments[i], buffer_addresses_);
    if (value.size() != parameter.bytes) {
      throw base::UsageError(fmt::format("parameter {} of kernel '{}' has {} bytes, {} were given",
                                         i, kernel.name, parameter.bytes, value.size()));
    }
    std::copy(value.begin(), value.end(),
              parameters_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  regions_.push_back({kParameterWindow.base, parameters_.size(), parameters_.data(),
                      "the kernel's parameters", 1, false});
}

void AddressSpace::add_heap(std::byte garbage) { heap_.emplace(kHeapWindow.base, garbage); }

const Region* AddressSpace::find(std::uint64_t address, std::uint64_t bytes) const {
  if (heap_ && heap_->covers(address)) return heap_->find(address, bytes);
  auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                [](std::uint64_t a, const Region& r) { return a < r.base; });
  if (after == regions_.begin()) return nullptr;
  const auto& region = *std::prev(after);
  const auto offset = address - region.base;
  return offset <= region.bytes && bytes <= region.bytes - offset ? &region : nullptr;
}

void check_no_overlap(const std::vector<Region>& regions) {
  static const std::array<Region, 4> kFixed = {{
      {kHeapWindow.base, kHeapWindow.bytes, nullptr, "the heap"},
      {kLocalWindow, kWindowBytes, nullptr, "local memory"},
      {kSharedWindow, kWindowBytes, nullptr, "shared memory"},
      {kFunctionWindow.base, kFunctionWindow.bytes, nullptr, "the addresses of functions"},
  }};
  const auto fail = [](const Region& one, const Region& other) {
    throw base::ToolError(
        fmt::format("two regions of device memory overlap: '{}' ({} bytes at {:#x}) and '{}' ({} "
                    "bytes at {:#x})",
                    one.name, one.bytes, one.base, other.name, other.bytes, other.base));
  };
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto& region = regions[i];
    if (region.base + region.bytes < region.base) fail(region, region);
    if (i + 1 < regions.size() && regions[i + 1].base - region.base < region.bytes) {
      fail(region, regions[i + 1]);
    }
    for (const auto& fixed : kFixed) {
      if (region.base - fixed.base < fixed.bytes || fixed.base - region.base < region.bytes) {
        fail(region, fixed);
      }
    }
  }
}

base::Place place_in(const Region& region, std::uint64_t address, std::uint64_t bytes) {
  using Memory = base::Place::Memory;
  base::Place place;
  place.memory = region.is_buffer ? Memory::kBuffer : Memory::kVariable;
  place.array = base::source_name(region.name);
  place.offset = static_cast<std::int64_t>(address - region.base);
  place.bytes = static_cast<std::uint32_t>(bytes);
  place.array_bytes = region.bytes;
  place.element_bytes = region.is_buffer ? region.element_bytes : 1;
  return place;
}

Outside AddressSpace::describe(std::uint64_t address, std::uint64_t bytes) const {
  if (address < kNullPage) {
    return OutsideWords{
        address == 0 ? "through a null pointer"
                     : fmt::format("at address {:#x}: an index from a null pointer", address),
        "check where the pointer comes from; malloc() returns null if the heap is full"};
  }
  if (heap_ && heap_->covers(address)) return heap_->describe(address, bytes);
  const Region* nearest = nullptr;
  std::uint64_t distance = kGap;
  for (const auto& region : regions_) {
    const auto end = region.base + region.bytes;
    if (address < region.base && region.base - address < distance) {
      distance = region.base - address;
      nearest = &region;
    } else if (address + bytes > end && address + bytes - end < distance) {
      distance = address + bytes - end;
      nearest = &region;
    }
  }
  if (nearest == nullptr) nearest = buffer_with_unsigned_index(regions_, address);
  if (nearest == nullptr) {
    return OutsideWords{
        fmt::format("at address {:#x}, outside every buffer", address),
        "check the pointer and the index before the access (can it be negative or overflow 32 "
        "bits?)"};
  }
  base::OutsideAccess out;
  out.place = place_in(*nearest, address, bytes);
  return out;
}

}  // namespace warpgrade::sim
