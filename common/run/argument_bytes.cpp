// SPDX-License-Identifier: Apache-2.0
#include "common/run/argument_bytes.h"

#include <fmt/format.h>

#include <cstring>

#include "common/base/error.h"

namespace warpgrade::run {
namespace {

constexpr std::size_t kPointerBytes = 8;

void put_address(const PointerField& field, const std::vector<std::uint64_t>& addresses,
                 ValueArgument& bytes) {
  if (field.buffer >= addresses.size()) {
    throw base::UsageError(fmt::format("an argument names buffer {}, but the launch has {}",
                                       field.buffer, addresses.size()));
  }
  if (bytes.size() < kPointerBytes || field.offset > bytes.size() - kPointerBytes) {
    throw base::UsageError(fmt::format("an address at byte {} does not fit into a struct of {}",
                                       field.offset, bytes.size()));
  }
  std::memcpy(bytes.data() + field.offset, &addresses[field.buffer], kPointerBytes);
}

}  // namespace

ValueArgument bytes_of(const Argument& argument, const std::vector<std::uint64_t>& addresses) {
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return *value;
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
    ValueArgument out(kPointerBytes);
    put_address({0, buffer->index}, addresses, out);
    return out;
  }
  const auto& structure = std::get<StructArgument>(argument);
  auto out = structure.bytes;
  for (const auto& field : structure.pointers) put_address(field, addresses, out);
  return out;
}

}  // namespace warpgrade::run
