// SPDX-License-Identifier: Apache-2.0
// Finds uses of the host's constants in device code that nvcc refuses and NVRTC compiles.
//
// The compiler's output shows the uses: in unoptimized PTX, a legal use is a number, and every
// other use names the variable. This costs another compilation. Therefore the tokens are examined
// first: they decide most uses, and most files have no other.
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

// Uses of the host's constants that nvcc certainly accepts, decided from tokens alone.
//
// nvcc lets device code use the value of a number. The value is used if the constant is an operand
// of built-in arithmetic, the size of an array or a subscript. For every other use the compiler
// must be asked (host_constants.h), which costs another compilation. Most files have no other use.

/// Whether device code in `sources` uses only the values of `constants`. False if that is unclear:
/// a macro, an operator function or a header may give an expression another meaning.
bool uses_only_values(const std::vector<std::string>& constants,
                      std::span<const SourceText> sources);

}  // namespace warpgrade::compile
