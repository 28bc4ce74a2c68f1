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

/// A piece of global memory that the host fills before a launch and reads back after it.
struct Buffer {
  std::string name;                 ///< The kernel's parameter, for messages: "out".
  std::vector<std::byte> bytes;     ///< Content, little-endian; replaced by the launch's result.
  std::uint32_t element_bytes = 4;  ///< Size of one element, for messages.
  bool read_only = false;           ///< An input: writing to it is a finding.
  bool defined = true;              ///< False for a poisoned output: reading a byte of it that the
                                    ///< kernel has not written is a finding.
  /// A poisoned output has a bit a byte, set for those that earlier launches of a sequence have
  /// written. None: no byte.
  std::shared_ptr<const std::vector<bool>> written = nullptr;
};

/// Points to the first byte of buffers[index].
struct BufferArgument {
  std::size_t index = 0;
};

/// A scalar or a structure by value: its bytes, as many as the parameter has.
using ValueArgument = std::vector<std::byte>;

/// A pointer in a structure argument: the offset at which the address of buffers[buffer] goes.
struct PointerField {
  std::size_t offset = 0;
  std::size_t buffer = 0;
};

/// A structure by value that holds addresses of buffers.
struct StructArgument {
  ValueArgument bytes;  ///< All of the parameter's; the launch puts the addresses in.
  std::vector<PointerField> pointers;
};

using Argument = std::variant<BufferArgument, ValueArgument, StructArgument>;

struct Launch {
  std::string kernel;  ///< compile::Kernel::name.
  base::Dim3 grid;
  base::Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;  ///< One a kernel parameter, in order.
};

}  // namespace warpgrade::run
