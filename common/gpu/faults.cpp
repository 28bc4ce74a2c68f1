// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>

namespace warpgrade::gpu {
namespace {

struct Fault {
  Status status;
  base::DiagnosticKind kind;
  const char* text;  // follows "the kernel NAME "
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
    Fault{
        716, base::DiagnosticKind::kMisaligned,
        "used an address that is not a multiple of the size of the access; a float4, say, must lie "
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

// The driver's line: "FILE:LINE: FUNCTION: block: [X,Y,Z], thread: [X,Y,Z] Assertion `TEXT`
// failed."
void add_assertion(std::vector<base::Diagnostic>& diagnostics, const std::string& kernel,
                   const std::string& printed) {
  static const std::regex kAssertion(
      "(?:^|\n)[^\n]*?:([0-9]{1,9}): [^\n]*: block: \\[([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})\\], "
      "thread: \\[([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9})\\] Assertion `([^\n]*)` failed\\.");
  std::smatch found;
  if (!std::regex_search(printed, found, kAssertion)) return;
  const auto number = [&](std::size_t group) {
    return static_cast<std::uint32_t>(std::stoul(found[group].str()));
  };
  for (auto& diagnostic : diagnostics) {
    if (diagnostic.kind != base::DiagnosticKind::kTrap) continue;
    diagnostic.where.line = number(1);
    diagnostic.block = base::Dim3{number(2), number(3), number(4)};
    diagnostic.thread = base::Dim3{number(5), number(6), number(7)};
    diagnostic.message =
        fmt::format("the kernel {} failed the assertion {}", kernel, found[8].str());
  }
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
