// SPDX-License-Identifier: Apache-2.0
// Headers that only host code uses and that the compiler of device code has not or refuses.
//
// Their #include is often left at the head of a kernel's file. They go to NVRTC as empty texts, as
// those of shims.h that need no text: the standard library's, the system's, those of the toolkit's
// libraries, and of Thrust and CUB what works on the whole device.
#pragma once

#include <span>
#include <string_view>

namespace warpgrade::compile {

/// Whether `name` is a header of a library that only host code uses (OpenGL, OpenCV, NVIDIA's
/// samples): its #include is left out if the file is not there. helper_math.h is none of them,
/// since device code uses its operators.
bool is_header_of_host_library(std::string_view name);

/// Their names, "thrust/sort.h", each once and none of shims.h.
std::span<const char* const> host_headers();

}  // namespace warpgrade::compile
