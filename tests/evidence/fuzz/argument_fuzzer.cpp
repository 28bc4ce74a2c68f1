// SPDX-License-Identifier: Apache-2.0
// Any bytes as what `warpgrade profile --arg` is given, and as a kernel's signature.
//
// A specification that is wrong must end as base::UsageError; a small one must make its buffer.
#include <cstdint>
#include <string_view>

#include "common/base/error.h"
#include "common/compile/signature.h"
#include "grader/profile/argument_spec.h"

namespace warpgrade::grader {
namespace {

constexpr std::uint64_t kSmall = 4096;

void make(const ArgumentSpec& spec) {
  const auto* buffer = std::get_if<BufferSpec>(&spec.value);
  if (buffer != nullptr && (!buffer->file.empty() || buffer->bytes() > kSmall)) return;
  make_arguments({spec});
}

}  // namespace
}  // namespace warpgrade::grader

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpgrade;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  compile::to_string(compile::parse_signature(text));
  try {
    grader::make(grader::parse_argument(text));
  } catch (const base::UsageError&) {
  }
  return 0;
}
