// SPDX-License-Identifier: Apache-2.0
// Reads the comma-separated golden data: no quotes, the first line names the columns.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpgrade::golden {

/// Splits `text` at each `separator`.
inline std::vector<std::string> cut(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(text);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

/// Column -> field. Columns beyond a line's last field are missing.
using Row = std::map<std::string, std::string>;

/// Throws std::runtime_error if the file is missing: an empty table would test nothing.
inline std::vector<Row> read_csv(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path);
  const auto names = cut(line, ',');
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const auto fields = cut(line, ',');
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < fields.size(); ++i) row[names.at(i)] = fields[i];
  }
  return rows;
}

}  // namespace warpgrade::golden
