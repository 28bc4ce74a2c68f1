// SPDX-License-Identifier: Apache-2.0
// Feeds arbitrary bytes to the parsers of `warpgrade profile --arg` and of kernel signatures.
//
// An invalid specification must throw base::UsageError; a small valid one must make its buffers.
#include <cstdint>
#include <string_view>

#include "common/base/error.h"
#include "common/compile/signature.h"
#include "grader/profile/arguments.h"

namespace warpgrade::grader {
namespace {

constexpr std::uint64_t kSmall = 4096;

bool is_small(const profile::BufferSpec* buffer) {
  return buffer == nullptr || (buffer->file.empty() && buffer->bytes() <= kSmall);
}

void make(const profile::ArgumentSpec& spec) {
  if (!is_small(std::get_if<profile::BufferSpec>(&spec.value))) return;
  if (const auto* structure = std::get_if<profile::StructSpec>(&spec.value)) {
    for (const auto& pointer : structure->pointers) {
      if (!is_small(std::get_if<profile::BufferSpec>(&pointer.to))) return;
    }
  }
  profile::make_arguments({spec, profile::parse_argument("out:u8:1")});
}

}  // namespace
}  // namespace warpgrade::grader

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpgrade;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  compile::to_string(compile::parse_signature(text));
  try {
    grader::make(grader::profile::parse_argument(text));
  } catch (const base::UsageError&) {
  }
  return 0;
}
