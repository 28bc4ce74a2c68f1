// SPDX-License-Identifier: Apache-2.0
// The kernels that find out a card's numbers. All have the same parameters,
//
//   kernel(unsigned* out, const unsigned* in, unsigned a, unsigned b, unsigned c),
//
// where `in` holds zeros: adding what was loaded makes one load wait for another. Those that take
// the time themselves leave clocks of their multiprocessor in out[0].
#pragma once

#include <string>

#include "common/compile/program.h"

namespace warpgrade::probe {

/// CUDA C++; what a, b and c are stands at each kernel.
extern const char* const kProbeSource;

/// The compiled kernels for `architecture`, kept for the life of the program. Throws
/// base::ToolError where they do not compile, which only a broken compiler causes.
const compile::Program& probe_program(const std::string& architecture);

}  // namespace warpgrade::probe
