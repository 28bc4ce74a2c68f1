// SPDX-License-Identifier: Apache-2.0
// The kernels of a PTX text with the layout of their parameters: enough to list them and to tell
// parameter lists apart where the name does not carry them (extern "C"). The real parser of PTX is
// a later stage; this reads the form of .entry headers only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

struct PtxParameter {
  std::uint32_t size_bytes = 0;
  bool is_float = false;  ///< .f32 or .f64

  friend bool operator==(const PtxParameter&, const PtxParameter&) = default;
};

struct PtxEntry {
  std::string name;
  std::vector<PtxParameter> parameters;
};

/// Every `.entry` of `ptx` in its order.
std::vector<PtxEntry> parse_ptx_entries(std::string_view ptx);

/// Undoes the escapes of a string in PTX: a quote, a backslash, and bytes in octal.
std::string unescape_ptx(std::string_view text);

}  // namespace warpgrade::compile
