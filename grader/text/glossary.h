// SPDX-License-Identifier: Apache-2.0
// The words of reports, pages and chapters: docs/glossary.md, the one place that explains them.
// `warpgrade explain`, the pages and the book show the same text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::text {

/// A row of the glossary.
struct GlossaryEntry {
  std::string section;             ///< "Stall reasons".
  std::vector<std::string> terms;  ///< At least one; names in code, such as metrics, are the last.
  std::string meaning;             ///< Names in code are between backticks.
};

/// All rows, in the order of the chapter.
const std::vector<GlossaryEntry>& glossary();

/// The entries of a word: the exact ones, or those of its singular or plural. Case does not matter,
/// and "_" is a space. Empty for an unknown word.
std::vector<const GlossaryEntry*> explained(std::string_view word);

/// At most five terms that contain `word`, or one that is nearly spelt like it.
std::vector<std::string> nearest_terms(std::string_view word);

}  // namespace warpgrade::grader::text
