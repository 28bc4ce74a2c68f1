// SPDX-License-Identifier: Apache-2.0
// Standard headers that files include by habit, for a compiler without a host library.
//
// NVRTC predefines the parts that device code can use (printf, assert, size_t, the math functions,
// blockIdx, float4); the rest is a few types and macros. NVRTC gets them as texts in memory, which
// have precedence over every folder. One of them, the prelude, is included before the first line of
// every file, as nvcc does.
#pragma once

#include <span>

namespace warpgrade::compile {

struct Shim {
  const char* name;  ///< "name" in #include <name>.
  const char* text;
};

std::span<const Shim> shims();

}  // namespace warpgrade::compile
