// SPDX-License-Identifier: Apache-2.0
// Which line of the PTX each machine instruction of a kernel comes from.
//
// A cubin compiled with -lineinfo has a section .nv_debug_line_sass: a table of lines as DWARF 2
// describes it (section 6.2), whose file is the PTX text. Each kernel has a sequence of its own,
// which begins with an address that a relocation fills in by the kernel's name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/timing/elf.h"

namespace warpgrade::timing {

/// The line, from 1 on, of each of the kernel's `count` instructions; 0 where it is not known, and
/// nothing where the cubin has no such table of the kernel.
std::vector<std::uint32_t> ptx_lines(const Elf& cubin, std::string_view kernel, std::size_t count);

}  // namespace warpgrade::timing
