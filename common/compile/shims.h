// SPDX-License-Identifier: Apache-2.0
// The texts that replace a host compiler's headers for NVRTC.
//
// The prelude is included before the first line of every file, as nvcc does. It declares names
// that nvcc takes from the C library and the host compiler. The other texts are standard headers
// that files include by habit. NVRTC gets all of them in memory, and they have precedence over
// every folder.
#pragma once

#include <span>

namespace warpgrade::compile {

// Names that nvcc declares before the first line of a file, through the C library and the host
// compiler, and that device code uses without an #include.
//
// NVRTC includes this text before the first line of every submission.

constexpr const char* kPreludeName = "warpgrade_prelude.h";

struct Shim {
  const char* name;  ///< "name" in #include <name>.
  const char* text;
};

std::span<const Shim> shims();

}  // namespace warpgrade::compile
