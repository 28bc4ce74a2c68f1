// SPDX-License-Identifier: Apache-2.0
// The device memory of one launch: buffers, variables and parameters in one 64-bit address space.
//
// In: the module, the arguments and the buffers of a launch. Out: regions, each backed by host
// memory. Regions are far apart, so an access past the end of one region is never in another. The
// bytes of local memory that threads have written are recorded, one bit per byte.
#pragma once

#include <algorithm>
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
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {

// Records which bytes of local memory a block's threads have written, one bit per byte.
//
// Unwritten memory is filled with garbage only when it is read, so a frame costs no more than its
// bits.

class LocalWritten {
 public:
  /// For `threads` threads of `bytes` bytes each, a multiple of 16.
  void prepare(std::uint64_t threads, std::uint64_t bytes) {
    threads_ = threads;
    stride_ = bytes / 8;
    bits_.assign(threads * stride_, 0);
    used_ = 0;
  }
  /// Marks all bytes as unwritten.
  void clear() {
    for (std::uint64_t t = 0; t < threads_ && used_ != 0; ++t) {
      std::fill_n(bits_.begin() + static_cast<std::ptrdiff_t>(t * stride_), used_, 0);
    }
    used_ = 0;
  }
  /// Marks [offset, offset + bytes) of `thread` as unwritten; both are multiples of 16.
  void begin_frame(std::uint64_t thread, std::uint64_t offset, std::uint64_t bytes) {
    std::fill_n(at(thread, offset), bytes / 8, 0);
  }

  /// Whether all bytes are written, for an access by `thread` of 1, 2, 4, 8 or a multiple of 8
  /// bytes at `offset`, a multiple of `bytes`.
  bool holds(std::uint64_t thread, std::uint64_t offset, std::uint32_t bytes) const {
    const auto* bits = bits_.data() + thread * stride_ + offset / 8;
    const auto wanted = mask(offset, bytes);
    for (std::uint32_t i = 0; i < std::max(bytes / 8, 1U); ++i) {
      if ((wanted & ~bits[i]) != 0) return false;
    }
    return true;
  }
  /// Marks the bytes as written.
  void add(std::uint64_t thread, std::uint64_t offset, std::uint32_t bytes) {
    auto bits = at(thread, offset);
    const auto written = mask(offset, bytes);
    for (std::uint32_t i = 0; i < std::max(bytes / 8, 1U); ++i) {
      bits[i] |= static_cast<std::uint8_t>(written);
    }
    used_ = std::max(used_, (offset + bytes + 7) / 8);
  }
  /// Fills the unwritten bytes at `host` with `garbage`.
  void fill_missing(std::uint64_t thread, std::uint64_t offset, std::uint32_t bytes,
                    std::byte* host, std::byte garbage) const {
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (!holds(thread, offset + i, 1)) host[i] = garbage;
    }
  }

 private:
  static std::uint32_t mask(std::uint64_t offset, std::uint32_t bytes) {
    return bytes >= 8 ? 0xffU : ((1U << bytes) - 1) << offset % 8;
  }
  std::vector<std::uint8_t>::iterator at(std::uint64_t thread, std::uint64_t offset) {
    return bits_.begin() + static_cast<std::ptrdiff_t>(thread * stride_ + offset / 8);
  }

  std::vector<std::uint8_t> bits_;
  std::uint64_t threads_ = 0;
  std::uint64_t stride_ = 0;  // bytes of bits_ per thread
  std::uint64_t used_ = 0;    // used part of a stride: no bit is set after it
};

/// A range of device addresses for regions of one kind.
struct Window {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;

  constexpr std::uint64_t end() const { return base + bytes; }
  constexpr bool has(std::uint64_t address) const { return address - base < bytes; }
};

/// Limit on the variables of a module in one state space. Headers of the toolkit declare hundreds.
constexpr std::uint64_t kMostVariables = 65536;
constexpr std::uint64_t kMostVariableBytes = std::uint64_t{1} << 30;  ///< Sum of a module.
/// Distance between buffers, and between variables unless a module has thousands: an index that is
/// off by less is reported as past its own array.
constexpr std::uint64_t kGap = std::uint64_t{1} << 30;
constexpr std::uint64_t kFewVariables = 4096;
constexpr std::uint64_t kSmallGap = std::uint64_t{1} << 25;
/// Alignment of buffers and variables, like cudaMalloc's pages.
constexpr std::uint64_t kRegionAlignment = std::uint64_t{1} << 21;

// The windows, in ascending order, at addresses like a card's. Buffers are above all others,
// without a limit.
constexpr Window kHeapWindow{run::kHeapBase, run::kHeapWindow};
constexpr Window kVariableWindow{0x7000'0000'0000, 0x0600'0000'0000};
constexpr Window kConstantWindow{0x7600'0000'0000, 0x0580'0000'0000};
// Generic addresses of shared and local memory: windows without regions.
constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t kLocalWindow = 0x7c00'0000'0000;
constexpr std::uint64_t kSharedWindow = 0x7d00'0000'0000;
/// The workspace of a cooperative launch's grid: its size, then its barrier (run::kGridBarrier), as
/// cooperative_groups/details/driver_abi.h has it.
constexpr std::uint64_t kGridWorkspace = run::kGridBarrier - 4;
constexpr Window kFunctionWindow{0x7d80'0000'0000, 0x0040'0000'0000};
constexpr Window kParameterWindow{0x7e00'0000'0000, 0x0040'0000'0000};
constexpr std::uint64_t kBufferBase = 0x7f00'0000'0000;
static_assert(kConstantWindow.bytes - kMostVariableBytes >=
              std::max(kFewVariables * (kGap + kRegionAlignment),
                       kMostVariables*(kSmallGap + kRegionAlignment)));
static_assert(kVariableWindow.bytes >= kConstantWindow.bytes);

/// The value of a pointer to function `index` of the module; never the address of data.
constexpr std::uint64_t function_address(std::uint32_t index) {
  return kFunctionWindow.base + 16 * std::uint64_t{index};
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

/// Throws base::ToolError, with the names of both, if two of `regions`, which are sorted by base,
/// overlap, or if one of them overlaps a window without regions.
void check_no_overlap(const std::vector<Region>& regions);

/// `bytes` bytes from `address` on as a place in `region`; they may be outside.
base::Place place_in(const Region& region, std::uint64_t address, std::uint64_t bytes);

class AddressSpace {
 public:
  /// Lays out `buffers` (whose bytes are used in place), fresh copies of the module's variables
  /// with their initial values, and the bytes of the kernel's parameters. A buffer with a `symbol`
  /// replaces the bytes of that variable. Throws base::UsageError if arguments or symbols do not
  /// match or the variables are too many or too large, and base::ToolError if regions overlap.
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
