// SPDX-License-Identifier: Apache-2.0
// The kernels of a PTX text with the layout of their parameters: enough to list them and to
// distinguish parameter lists if the name does not contain them (extern "C"). A later stage parses
// PTX fully; this only reads .entry headers.
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

/// Every `.entry` of `ptx`, in order.
std::vector<PtxEntry> parse_ptx_entries(std::string_view ptx);

/// Resolves the escapes in a PTX string: a quote, a backslash, and octal bytes.
std::string unescape_ptx(std::string_view text);

}  // namespace warpgrade::compile
