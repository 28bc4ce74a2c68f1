// SPDX-License-Identifier: Apache-2.0
// A file whose text is part of the program: TOML, SQL, templates, HTML, CSS, JavaScript.
//
// embed.sh writes a header with an array of them, in the order of its arguments.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpgrade::base {

struct EmbeddedFile {
  std::string_view name;  ///< Without the folder: "h100.toml".
  std::string_view text;

  [[nodiscard]] constexpr std::string_view stem() const { return name.substr(0, name.find('.')); }
  /// The text after its first line, which is the licence.
  [[nodiscard]] constexpr std::string_view body() const { return text.substr(text.find('\n') + 1); }
};

/// The file called `name`. An unknown name does not compile.
template <std::size_t kCount>
consteval EmbeddedFile embedded(const EmbeddedFile (&files)[kCount], std::string_view name) {
  for (const auto& file : files) {
    if (file.name == name) return file;
  }
  throw name;
}

}  // namespace warpgrade::base
