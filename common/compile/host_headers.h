// SPDX-License-Identifier: Apache-2.0
// Headers that only host code uses and that NVRTC does not have or refuses.
//
// Files with kernels often include them by habit. NVRTC gets empty texts for them, as for the
// headers in shims.h that need no text: headers of the standard library, the system and the
// toolkit's libraries, and the parts of Thrust and CUB that work on the whole device.
#pragma once

#include <span>
#include <string_view>

namespace warpgrade::compile {

/// Whether `name` is a header of a library that only host code uses (OpenGL, OpenCV, NVIDIA's
/// samples): its #include is left out if the file is missing. helper_math.h does not count, because
/// device code uses its operators.
bool is_header_of_host_library(std::string_view name);

/// Their names, such as "thrust/sort.h", each once and without those in shims.h.
std::span<const char* const> host_headers();

/// Whether `name` is a function of the C library that only the host has, and that nvcc knows in
/// every file.
bool is_function_of_host(std::string_view name);

}  // namespace warpgrade::compile
