// SPDX-License-Identifier: Apache-2.0
// One launch of one kernel: its geometry, its arguments and the buffers that they point to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/dim3.h"

namespace warpgrade::run {

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

}  // namespace warpgrade::run
