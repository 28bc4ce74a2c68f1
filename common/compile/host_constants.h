// SPDX-License-Identifier: Apache-2.0
// Uses of the host's constants in device code that nvcc refuses.
//
// A `const` or `constexpr` variable at file, namespace or class scope without a device space is the
// host's. Device code may use the value of a number, and any such variable in a constant
// expression. For every other use (an element of an array, a reference, an address) nvcc reports
// that the variable is undefined in device code. NVRTC compiles a copy for the device instead.
//
// The compiler's output shows the uses: in unoptimized PTX, with all constants made constexpr and
// all functions kept, a legal use is a number, and every other use names the
// variable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

struct SourceText {
  std::string name;  ///< As in the compiler's log.
  std::string text;
};

/// The macro of equal length that replaces `const` before a host constant, and its text.
inline constexpr std::string_view kConstexprConst = "__cxp";
inline constexpr std::string_view kConstexprConstText = "constexpr";

enum class ConstantKind {
  kAll,
  kArrayOrConstexpr,  ///< Constants whose uses appear in PTX even with `const`.
};

/// Names of the host's constants in `sources` that device code can mention.
std::vector<std::string> host_constants(std::span<const SourceText> sources, ConstantKind kind);

/// `text` with kConstexprConst instead of `const` at the host's constants that have an initial
/// value.
std::string with_constexpr_constants(std::string_view text);

/// Log entries for the first use of each of `constants` in `debug_ptx`, which NVRTC compiled from
/// `sources` with -G.
std::string uses_of_host_constants(std::string_view debug_ptx,
                                   const std::vector<std::string>& constants,
                                   std::span<const SourceText> sources);

/// Log entries for references in device functions that are bound to one of `constants`, as in
/// `const int& r = n;`. The compiler replaces them by the value, so no PTX shows them.
std::string references_to_host_constants(const std::vector<std::string>& constants,
                                         std::span<const SourceText> sources);

}  // namespace warpgrade::compile
