// SPDX-License-Identifier: Apache-2.0
// The kernels that measure a card's numbers. All have the same parameters,
//
//   kernel(unsigned* out, const unsigned* in, unsigned a, unsigned b, unsigned c),
//
// where `in` contains zeros: adding a loaded value makes one load wait for another. Kernels that
// measure time themselves store clocks of their multiprocessor in out[0].
#pragma once

#include <string>

#include "common/compile/program.h"

namespace warpgrade::probe {

/// CUDA C++; a comment at each kernel explains a, b and c.
extern const char* const kProbeSource;

/// The compiled kernels for `architecture`, cached for the life of the program. Throws
/// base::ToolError if they do not compile, which means a broken compiler.
const compile::Program& probe_program(const std::string& architecture);

}  // namespace warpgrade::probe
