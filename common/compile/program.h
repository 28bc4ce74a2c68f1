// SPDX-License-Identifier: Apache-2.0
// A compiled kernel file: the compiler's output for one CUDA C++ source and one architecture.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/compile/left_out.h"

namespace warpgrade::compile {

/// The SM resources that one kernel uses, as ptxas reports them for the architecture of the
/// compilation. Zeros for a virtual one.
struct Resources {
  std::uint32_t registers_per_thread = 0;
  std::uint32_t barriers = 0;  ///< Named barriers: the highest number plus 1; 16 if it is variable.
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t stack_frame_bytes = 0;
  std::uint32_t spill_store_bytes = 0;
  std::uint32_t spill_load_bytes = 0;
  std::uint32_t constant_bytes = 0;
};

struct Kernel {
  std::string name;       ///< Name in the PTX and in the machine code (mangled for C++ names).
  std::string signature;  ///< Demangled: "copy(float*, int)"; the bare name if extern "C".
  Resources resources;
};

struct Program {
  std::string file;                ///< The source's name for the user.
  std::string source;              ///< The source's text, for excerpts.
  std::string architecture;        ///< "sm_90", or "compute_90" if only PTX was compiled.
  std::string ptx;                 ///< PTX text with .loc directives.
  std::vector<char> machine_code;  ///< A cubin; empty if only PTX was compiled.
  std::vector<Kernel> kernels;     ///< Every kernel in the PTX, in order.
  std::map<std::string, std::string> lowered;  ///< Requested name expression -> Kernel::name.
  std::string warnings;                        ///< The compiler's warnings; may be empty.
  std::vector<LeftOut> left_out;               ///< Host code of the file; describe() names it.
  std::string device_source;                   ///< The compiled text, if it differs from `source`.
};

}  // namespace warpgrade::compile
