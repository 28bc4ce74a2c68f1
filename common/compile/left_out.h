// SPDX-License-Identifier: Apache-2.0
// The host code that a submission was compiled without, and the sentence about it for reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace warpgrade::compile {

/// A declaration or #include that was left out of the device code.
struct LeftOut {
  std::string file;
  std::uint32_t line = 0;    ///< 1-based, like the column.
  std::uint32_t column = 0;  ///< Its first column; for an #include the column of the file name.
  std::string name;          ///< "main", "<thrust/sort.h>"; empty if unclear.

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

inline auto wire_fields(LeftOut& item) {
  return std::tie(item.file, item.line, item.column, item.name);
}

/// The file name in an #include: `a/b.h` in `"a/b.h"` and in `<a/b.h>`.
inline std::string_view without_quotes(std::string_view name) {
  return name.substr(1, name.size() - 2);
}

/// Whether `item` is an #include of a file that the compiler cannot see.
bool is_include(const LeftOut& item);

/// "left out as host code: main (line 40), fill (line 35)"; places outside `main_file` include the
/// file name. Safe to print; empty if `items` is empty.
std::string describe(const std::vector<LeftOut>& items, std::string_view main_file);

}  // namespace warpgrade::compile
