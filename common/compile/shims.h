// SPDX-License-Identifier: Apache-2.0
// Standard headers that people include by habit, for a compiler that has no host library.
//
// NVRTC predefines what device code can use of them (printf, assert, size_t, the math functions,
// blockIdx, float4); the rest are a few types and macros. They go to NVRTC as texts in memory and
// so come before every folder. One of them, the prelude, is included before the first line of every
// file, since nvcc does likewise.
#pragma once

#include <span>

namespace warpgrade::compile {

struct Shim {
  const char* name;  ///< "name" in #include <name>.
  const char* text;
};

std::span<const Shim> shims();

}  // namespace warpgrade::compile
