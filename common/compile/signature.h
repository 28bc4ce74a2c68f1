// SPDX-License-Identifier: Apache-2.0
// Function signatures as text, in a canonical form for comparison, and the kernels that fit them.
//
// A signature is written by an author ("copy(float* out, const float* __restrict__ in, int width,
// unsigned n)") or printed by the demangler ("void red<4>(float*, float const*, unsigned int)").
// The canonical form has no return type and no parameter names, const after the type it qualifies,
// no top-level const or __restrict__, and arithmetic types by their shortest full names. It handles
// pointers, references and plain type names; array and function parameters stay unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"

namespace warpgrade::compile {

struct Signature {
  std::string name;                     ///< "copy", "w::copy", "reduce_threads<4>".
  std::vector<std::string> parameters;  ///< Canonical types: "float const*", "unsigned int".

  friend bool operator==(const Signature&, const Signature&) = default;
};

/// Parses a declaration or a demangled name; the parameter list may be missing.
Signature parse_signature(std::string_view text);

/// The signature in a name of PTX, or the name itself if it is extern "C".
std::string demangled(const std::string& name);

/// "copy(float*, float const*, int, int)".
std::string to_string(const Signature& signature);

/// The name without template arguments: "w::copy" for "w::copy<4>".
std::string_view base_name(std::string_view name);

/// Whether a caller sees two canonical types as equal: long and long long are one 64-bit type,
/// which headers spell differently (CCCL's int64_t is long long, the C library's is long).
bool is_same_type(std::string_view a, std::string_view b);

/// Size in bytes of a canonical type as a kernel parameter; 0 if the type is unknown.
std::uint32_t size_of(std::string_view canonical_type);

/// The kernel of `program` with the name `name`: an extern "C" name, a plain C++ name or a template
/// instance. Otherwise a diagnostic that lists the existing kernels and, if `signature` is given
/// ("copy(float*, const float*, int, int)"), the expected parameters.
std::variant<const Kernel*, base::Diagnostic> find_kernel(const Program& program,
                                                          const std::string& name,
                                                          const std::string& signature = {});

/// The only kernel of `program`. If it has none or several, throws base::UsageError, which lists
/// its kernels and templates and names `option`.
const Kernel& only_kernel(const Program& program, const std::string& option);

}  // namespace warpgrade::compile
