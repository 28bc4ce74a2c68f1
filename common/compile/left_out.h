// SPDX-License-Identifier: Apache-2.0
// What a submission was compiled without: host code, and the sentence that names it in reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace warpgrade::compile {

/// A declaration or #include that the device code was compiled without.
struct LeftOut {
  std::string file;
  std::uint32_t line = 0;    ///< 1-based, as the column.
  std::uint32_t column = 0;  ///< Its first column; of an #include that of the file's name.
  std::string name;          ///< "main", "<thrust/sort.h>"; empty where it is not clear.

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

inline auto wire_fields(LeftOut& item) {
  return std::tie(item.file, item.line, item.column, item.name);
}

/// The file that an #include names: `a/b.h` of `"a/b.h"` and of `<a/b.h>`.
inline std::string_view without_quotes(std::string_view name) {
  return name.substr(1, name.size() - 2);
}

/// Whether `item` is an #include of a file that the compiler does not see.
bool is_include(const LeftOut& item);

/// "left out as host code: main (line 40), fill (line 35)", places in other files than `main_file`
/// with their names; safe to print, and empty where `items` is.
std::string describe(const std::vector<LeftOut>& items, std::string_view main_file);

}  // namespace warpgrade::compile
