// SPDX-License-Identifier: Apache-2.0
// Names that nvcc declares before the first line of a file, through the C library and the host
// compiler, and that device code uses without an #include.
//
// NVRTC includes this text before the first line of every submission.
#pragma once

namespace warpgrade::compile {

constexpr const char* kPreludeName = "warpgrade_prelude.h";
extern const char* const kPreludeText;

}  // namespace warpgrade::compile
