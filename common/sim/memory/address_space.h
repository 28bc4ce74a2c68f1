// SPDX-License-Identifier: Apache-2.0
// The device memory of one launch: buffers, variables of the module and kernel parameters as
// regions of one 64-bit address space, each backed by host memory.
// Regions are far apart, so an access past the end of one region is never in another. A
// simulated kernel may access exactly the bytes of these regions and its block's shared and
// local memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/observer.h"
#include "common/sim/memory/heap.h"
#include "common/sim/memory/region.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {

// Generic addresses of shared and local memory: windows without regions.
constexpr std::uint64_t kSharedWindow = 0x7d00'0000'0000;
constexpr std::uint64_t kLocalWindow = 0x7c00'0000'0000;
constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
/// The workspace of a cooperative launch's grid: its size, then its barrier (run::kGridBarrier), as
/// cooperative_groups/details/driver_abi.h has it.
constexpr std::uint64_t kGridWorkspace = run::kGridBarrier - 4;
constexpr std::uint64_t kFunctionBase = 0x7d80'0000'0000;
constexpr std::uint64_t kHeapBase = 0x7dc0'0000'0000;
constexpr std::uint64_t kParameterBase = 0x7e00'0000'0000;
constexpr std::uint64_t kConstantBase = 0x7e40'0000'0000;
constexpr std::uint64_t kVariableBase = 0x7e80'0000'0000;
constexpr std::uint64_t kBufferBase = 0x7f00'0000'0000;

/// The value of a pointer to function `index` of the module; never the address of data.
constexpr std::uint64_t function_address(std::uint32_t index) {
  return kFunctionBase + 16 * std::uint64_t{index};
}

/// Zeroed memory that the host allocates when it is first written.
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(std::size_t size);

  std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte[], Free> bytes_;
  std::size_t size_ = 0;
};

/// `bytes` bytes from `address` on as a place in `region`; they may be outside.
base::Place place_in(const Region& region, std::uint64_t address, std::uint64_t bytes);

class AddressSpace {
 public:
  /// Lays out `buffers` (whose bytes are used in place), fresh copies of the module's variables
  /// with their initial values, and the bytes of the kernel's parameters. A buffer with a `symbol`
  /// replaces the bytes of that variable. Throws base::UsageError if arguments or symbols do not
  /// match or the variables are too large.
  AddressSpace(const ptx::Module& module, const ptx::Function& kernel, const run::Launch& launch,
               std::vector<run::Buffer>& buffers);
  AddressSpace(const ptx::Module& module, const ptx::Function& kernel, const run::Launch& launch,
               std::vector<SparseBuffer>& buffers);

  const std::vector<Region>& regions() const { return regions_; }
  /// Device address of each buffer, ascending. Of a buffer with a `symbol` it is an unused address
  /// above all others; the variable has its own.
  const std::vector<std::uint64_t>& buffer_addresses() const { return buffer_addresses_; }
  /// Device address of a module variable in global or constant memory.
  std::uint64_t variable_address(std::uint32_t index) const { return variable_addresses_[index]; }
  /// Sets the module's variables, in order, to `contents`, which is empty or a result of
  /// kept_variables() for the same module.
  void set_variables(const std::vector<std::vector<std::byte>>& contents);
  std::vector<std::vector<std::byte>> kept_variables() const;
  /// Bytes of the kernel's parameters, each at its offset.
  const std::vector<std::byte>& parameters() const { return parameters_; }
  std::uint32_t parameter_offset(std::uint32_t index) const { return parameter_offsets_[index]; }

  /// Reserves memory for malloc() in the kernel, whose pieces contain `garbage`; call it before any
  /// block runs.
  void add_heap(std::byte garbage);
  /// Makes the workspace at kGridWorkspace; call it before the kernel is decoded.
  void add_grid_workspace();
  bool has_grid_workspace() const { return grid_workspace_.size() != 0; }
  /// Valid after add_heap().
  Heap& heap() { return *heap_; }

  /// The region that contains all of [address, address + bytes), or nullptr.
  const Region* find(std::uint64_t address, std::uint64_t bytes) const;
  /// Describes an address outside every region by its distance from the nearest buffer or variable.
  Outside describe(std::uint64_t address, std::uint64_t bytes) const;

 private:
  void add_buffer(const std::string& name, std::uint32_t element_bytes, std::uint64_t bytes,
                  std::byte* host, SparseBuffer* sparse);
  void finish(const ptx::Module& module, const ptx::Function& kernel, const run::Launch& launch);
  void add_parameters(const ptx::Function& kernel, const run::Launch& launch);
  void add_variables(const ptx::Module& module);
  std::uint64_t next_buffer_address() const;
  std::byte* bytes_of_variable(const ptx::Variable& variable);

  std::vector<Region> regions_;  // by base
  std::vector<std::uint64_t> buffer_addresses_;
  std::vector<std::uint64_t> variable_addresses_;
  std::vector<ZeroedBytes> variables_;  // of size 0 for variables in symbols_
  std::vector<run::Buffer*> symbols_;
  std::vector<std::byte> parameters_;
  std::vector<std::uint32_t> parameter_offsets_;
  std::optional<Heap> heap_;
  ZeroedBytes grid_workspace_;
};

}  // namespace warpgrade::sim
