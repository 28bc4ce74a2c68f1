// SPDX-License-Identifier: Apache-2.0
// One launch of one kernel: its backend, its geometry and the limits on it, its arguments, the
// buffers that they point to, and the initial content of the buffers.
//
// Content is made in pieces on demand, so that a launch with gigabytes needs no host memory for
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/base/place.h"
#include "common/device/profile.h"

namespace warpgrade::run {

// The two ways to run a kernel, with their names for reports and command lines.

enum class Backend : std::uint8_t { kSim, kGpu };

/// "sim" or "gpu".
constexpr std::string_view name(Backend backend) {
  return backend == Backend::kSim ? "sim" : "gpu";
}

/// The backend with this name; nullopt if unknown.
constexpr std::optional<Backend> backend_called(std::string_view text) {
  for (const auto backend : {Backend::kSim, Backend::kGpu}) {
    if (name(backend) == text) return backend;
  }
  return std::nullopt;
}

/// Global memory that the host fills before a launch and reads back after it.
struct Buffer {
  std::string name;                 ///< The kernel's parameter, for messages: "out".
  std::vector<std::byte> bytes;     ///< Little-endian; the launch stores its result here.
  std::uint32_t element_bytes = 4;  ///< Size of one element, for messages.
  bool read_only = false;           ///< An input; writing to it is a finding.
  bool defined = true;              ///< False: poisoned; reading an unwritten byte is a finding.
  /// For poisoned outputs: a bit per byte, set if an earlier launch of the sequence wrote it.
  /// nullptr: no byte is written.
  std::shared_ptr<const std::vector<bool>> written = nullptr;
  /// Not empty: the buffer is the content of this module variable, by its name in PTX. No argument
  /// points to it. Such buffers follow all others.
  std::string symbol = {};
  std::vector<std::uint64_t> extents = {};  ///< For messages; empty: one dimension.
};

/// Points to the first byte of buffers[index].
struct BufferArgument {
  std::size_t index = 0;
};

/// A scalar or a structure by value: all bytes of the parameter.
using ValueArgument = std::vector<std::byte>;

/// A pointer in a structure argument: `offset` receives the address of buffers[buffer].
struct PointerField {
  std::size_t offset = 0;
  std::size_t buffer = 0;
};

/// A structure by value that contains addresses of buffers.
struct StructArgument {
  ValueArgument bytes;  ///< All bytes of the parameter; the launch inserts the addresses.
  std::vector<PointerField> pointers;
};

using Argument = std::variant<BufferArgument, ValueArgument, StructArgument>;

struct Launch {
  std::string kernel;  ///< compile::Kernel::name.
  base::Dim3 grid;
  base::Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;  ///< One per kernel parameter, in order.
  /// All blocks are resident together and can meet (cudaLaunchCooperativeKernel).
  bool cooperative = false;
  /// Blocks per thread block cluster; nullopt: the kernel's __cluster_dims__, or no clusters.
  std::optional<base::Dim3> cluster = std::nullopt;
};

// A number as a launch argument.

template <typename T>
ValueArgument value_argument(T number) {
  static_assert(std::is_arithmetic_v<T>);
  ValueArgument bytes(sizeof(number));
  std::memcpy(bytes.data(), &number, sizeof(number));
  return bytes;
}

// The bytes of a kernel argument, once the buffers have addresses.

/// The bytes of `argument` if buffer i is at `addresses[i]`. Throws base::UsageError if it names a
/// missing buffer, or an address does not fit in its structure.
ValueArgument bytes_of(const Argument& argument, const std::vector<std::uint64_t>& addresses);

/// The initial content of a buffer.
struct Pattern {
  std::string name;
  std::uint32_t element_bytes = 4;
  bool read_only = false;
  bool defined = true;       ///< See Buffer.
  bool is_compared = true;   ///< False: its final content does not matter.
  std::uint64_t bytes = 0;   ///< Size of the buffer.
  std::uint64_t period = 0;  ///< Length in bytes after which the content repeats; at most `bytes`.
  /// Writes the buffer's content from byte `first` on. `first` and the size are whole elements
  /// within the period. Repeatable, also in forked processes.
  std::function<void(std::uint64_t first, std::span<std::byte> to)> make;
};

/// The content of `buffer`, repeated up to `bytes`.
Pattern pattern_of(Buffer buffer, std::uint64_t bytes);
/// One pattern per buffer, each with the buffer's size.
std::vector<Pattern> patterns_of(const std::vector<Buffer>& buffers);

/// Least number of bytes to move: inputs are read, outputs are written, and defined buffers that
/// are compared are both.
std::uint64_t least_traffic(const std::vector<Pattern>& patterns);

/// The whole buffer.
Buffer made(const Pattern& pattern);
std::vector<Buffer> made(const std::vector<Pattern>& patterns);

/// Limits of CUDA or of a device.
struct LaunchLimits {
  base::Dim3 grid{0x7fffffff, 65535, 65535};
  base::Dim3 block{1024, 1024, 64};
  std::uint32_t threads_per_block = 1024;
  std::uint32_t shared_bytes_per_block = 227 * 1024;  ///< Static plus dynamic.
  std::string device;                                 ///< The device with these limits; empty: any.
};

/// The limits of `profile`. The limits on the grid are CUDA's, because profiles have none.
LaunchLimits limits_of(const device::Profile& profile);

/// "a grid is at most 2147483647 x 65535 x 65535 blocks on k40"; empty if the grid is valid.
std::string wrong_grid(const base::Dim3& grid, const LaunchLimits& limits);
/// "a block has at most 1024 threads on k40, and 64 in z"; empty if the block is valid.
std::string wrong_block(const base::Dim3& block, const LaunchLimits& limits);
/// "a block has at most 49152 bytes of shared memory on k40"; empty if the size is valid.
std::string wrong_shared_bytes(std::uint64_t bytes, const LaunchLimits& limits);
/// The first of the three with its cause: "grid 1 x 70000 x 1: a grid is at most ...".
std::string wrong_launch(const base::Dim3& grid, const base::Dim3& block,
                         std::uint64_t shared_bytes, const LaunchLimits& limits);

/// Heap size of malloc() in a launch, and limit on its printf output (part of the contract).
constexpr std::size_t kHeapBytes = std::size_t{8} << 20;
/// The device addresses that malloc() returns in the simulator: kHeapWindow bytes from kHeapBase
/// on.
constexpr std::uint64_t kHeapBase = 0x6c00'0000'0000;
constexpr std::uint64_t kHeapWindow = std::uint64_t{1} << 42;
constexpr std::size_t kPrintedBytes = std::size_t{1} << 20;

}  // namespace warpgrade::run
