// SPDX-License-Identifier: Apache-2.0
// Converts --arg to a runner's input: arguments, and buffers with their contents.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/run/launch.h"
#include "grader/profile/argument_spec.h"

namespace warpgrade::grader::profile {

struct Arguments {
  std::vector<run::Argument> arguments;
  std::vector<run::Buffer> buffers;
};

/// Arguments and buffers of a launch, buffers filled. Throws base::UsageError if they exceed
/// kMostBufferBytes together, if a file is missing or has another size, or if an INDEX is not a
/// buffer's.
Arguments make_arguments(const std::vector<ArgumentSpec>& specs);

/// The position in make_arguments().buffers of --dump's `index`: "2" is the buffer of parameter 2,
/// "2.0" the first address in the struct that is parameter 2. Throws base::UsageError if that is no
/// buffer.
std::size_t buffer_to_dump(std::string_view index, const std::vector<ArgumentSpec>& specs);

/// A buffer with the content that `spec` describes. Throws base::UsageError if `spec` describes
/// something else, and for the reasons of make_arguments().
run::Buffer make_buffer(const ArgumentSpec& spec);

}  // namespace warpgrade::grader::profile
