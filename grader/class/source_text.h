// SPDX-License-Identifier: Apache-2.0
// The text of a source file: UTF-8, whatever editor wrote it.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::class_book {

struct SourceText {
  std::string text;
  std::string refused;  ///< The reason if the bytes are not source text.
};

/// UTF-16 becomes UTF-8; other text stays as it is. Office documents, pages, archives, pointers of
/// Git LFS, other binary bytes, and files without any text are refused.
SourceText source_text(std::string bytes);

/// Whether two texts differ only in ends of lines and in spaces before them.
bool is_same_source(std::string_view a, std::string_view b);

}  // namespace warpgrade::grader::class_book
