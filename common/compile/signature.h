// SPDX-License-Identifier: Apache-2.0
// Function signatures as text, brought to one form so that they can be compared.
//
// A signature comes as an author writes it ("copy(float* out, const float* __restrict__ in, int
// width, unsigned n)") or as the demangler prints it ("void red<4>(float*, float const*, unsigned
// int)"). The form: no return type, no parameter names, const after what it qualifies, no
// top-level const or __restrict__, arithmetic types by their shortest full names. It knows
// pointers, references and plain type names; arrays and functions as parameters stay as written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

struct Signature {
  std::string name;                     ///< "copy", "w::copy", "reduce_threads<4>".
  std::vector<std::string> parameters;  ///< Canonical types: "float const*", "unsigned int".

  friend bool operator==(const Signature&, const Signature&) = default;
};

/// Reads a declaration or a demangled name; the parameter list may be missing.
Signature parse_signature(std::string_view text);

/// "copy(float*, float const*, int, int)".
std::string to_string(const Signature& signature);

/// The name without template arguments: "w::copy" of "w::copy<4>".
std::string_view base_name(std::string_view name);

/// Whether two canonical types are the same to a caller: long and long long are one 64-bit type,
/// which headers disagree on how to spell (CCCL's int64_t is long long, the C library's is long).
bool is_same_type(std::string_view a, std::string_view b);

/// Size in bytes of a canonical type as a kernel parameter; 0 where the type is not known.
std::uint32_t size_of(std::string_view canonical_type);

}  // namespace warpgrade::compile
