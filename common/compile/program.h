// SPDX-License-Identifier: Apache-2.0
// A compiled kernel file: what the compiler made of one CUDA C++ source for one architecture.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/compile/left_out.h"

namespace warpgrade::compile {

/// The resources of a multiprocessor that one kernel takes, as ptxas reports them for the
/// architecture compiled for. Zeros where that is a virtual one.
struct Resources {
  std::uint32_t registers_per_thread = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t stack_frame_bytes = 0;
  std::uint32_t spill_store_bytes = 0;
  std::uint32_t spill_load_bytes = 0;
  std::uint32_t constant_bytes = 0;
};

struct Kernel {
  std::string name;       ///< Name in the PTX and in the machine code (mangled for C++ names).
  std::string signature;  ///< Demangled, "copy(float*, float const*, int, int)"; the bare name
                          ///< where the kernel is extern "C".
  Resources resources;
};

struct Program {
  std::string file;                            ///< The source's name as shown to the user.
  std::string source;                          ///< The source's text, for excerpts.
  std::string architecture;                    ///< "sm_90": what PTX and machine code are for;
                                               ///< "compute_90": of PTX alone.
  std::string ptx;                             ///< PTX text with .loc directives.
  std::vector<char> machine_code;              ///< A cubin; empty of PTX alone.
  std::vector<Kernel> kernels;                 ///< Every kernel in the PTX, in its order.
  std::map<std::string, std::string> lowered;  ///< Name expression asked for -> Kernel::name.
  std::string warnings;           ///< The compiler's warnings, empty where there are none.
  std::vector<LeftOut> left_out;  ///< Host code of the file; describe() names it.
  std::string device_source;      ///< The text compiled, where it is not `source`.
};

}  // namespace warpgrade::compile
