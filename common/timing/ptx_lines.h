// SPDX-License-Identifier: Apache-2.0
// Finds the PTX line of each machine instruction of a kernel.
//
// A cubin compiled with -lineinfo has a section .nv_debug_line_sass: a DWARF 2 line table (section
// 6.2) whose file is the PTX text. Each kernel has its own sequence, which begins with an address
// that a relocation fills in by the kernel's name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/timing/elf.h"

namespace warpgrade::timing {

/// The line, from 1 on, of each of the kernel's `count` instructions; 0 if unknown. Empty if the
/// cubin has no line table for the kernel.
std::vector<std::uint32_t> ptx_lines(const Elf& cubin, std::string_view kernel, std::size_t count);

}  // namespace warpgrade::timing
