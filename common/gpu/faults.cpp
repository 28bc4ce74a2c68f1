// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpgrade::gpu {
namespace {

struct Fault {
  Status status;
  base::DiagnosticKind kind;
  const char* text;  // Follows "the kernel NAME ".
};

// CUresult of cuda.h, CUDA 13.0.
constexpr std::array kFaults = {
    Fault{700, base::DiagnosticKind::kOutOfBounds,
          "read or wrote an address that belongs to no buffer; check every index against the size "
          "of what it indexes"},
    Fault{
        702, base::DiagnosticKind::kRunaway,
        "ran for longer than the display driver allows and was stopped; look for a loop that does "
        "not end"},
    Fault{710, base::DiagnosticKind::kTrap, "failed an assert"},
    Fault{714, base::DiagnosticKind::kTrap,
          "overflowed its call stack; look for deep recursion or very large local arrays"},
    Fault{715, base::DiagnosticKind::kTrap, "executed a trap or an illegal instruction"},
    Fault{716, base::DiagnosticKind::kMisaligned,
          "used an address that is no multiple of the size of the access; a float4, say, must lie "
          "at a multiple of 16 bytes"},
    Fault{
        717, base::DiagnosticKind::kOutOfBounds,
        "used an address in the wrong kind of memory, such as a global address for shared memory"},
    Fault{718, base::DiagnosticKind::kTrap,
          "jumped to an address that holds no code; look for a broken function pointer"},
    Fault{719, base::DiagnosticKind::kTrap,
          "was stopped by an exception of the device, such as __trap() or an address outside of "
          "shared or local memory"},
};

}  // namespace

std::optional<base::Diagnostic> kernel_fault(Status status, const std::string& kernel) {
  const auto* const fault = std::find_if(kFaults.begin(), kFaults.end(),
                                         [&](const Fault& f) { return f.status == status; });
  if (fault == kFaults.end()) return std::nullopt;
  base::Diagnostic diagnostic;
  diagnostic.kind = fault->kind;
  diagnostic.message = fmt::format(
      "the kernel {} {} (a run on the simulator names line and thread)", kernel, fault->text);
  return diagnostic;
}

base::Diagnostic runaway(const std::string& kernel, double seconds) {
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kRunaway;
  diagnostic.message = fmt::format(
      "the kernel {} did not end within {} s and was stopped; look for a loop that does not end or "
      "a wait for another block",
      kernel, seconds);
  return diagnostic;
}

}  // namespace warpgrade::gpu
