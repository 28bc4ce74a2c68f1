// SPDX-License-Identifier: Apache-2.0
// Names of people and files: composed letters, folded spellings, and decoded names of old
// archives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::text {

// Composes letters and their accents (Unicode's NFC), so that a name from a Mac, which separates
// them, equals the same name from other systems. Sequences of marks are expected in canonical
// order, as every system writes them.

/// `text` in composed form; bytes that are not valid UTF-8 are unchanged.
std::string composed_text(std::string_view text);

// Text in a form in which the spellings of one name are equal: composed, in lower case, with one
// space between words. Platforms write names in lower case (Canvas) or with other spaces.

/// Latin, Greek and Cyrillic letters become lowercase; other characters stay.
std::string folded_text(std::string_view text);

/// Only the letters and digits of folded_text(): "Team 1" and "team_1" are "team1".
std::string squashed_text(std::string_view text);

// Decodes file names in the encodings that archive programs wrote before UTF-8. An archive does not
// contain the name of its encoding. The encoding that reveals the most names of known people is
// chosen; otherwise the one that makes words of all names: letters of one script, not frames and
// signs. The C library converts. Its tables are loaded before a process is confined and can open no
// more files.

/// Loads the tables. Without this call, the first call of decode_legacy_names() loads them.
void load_legacy_encodings();

/// Converts the names to UTF-8 if an encoding makes words of them, or finds names of `people` in
/// them; otherwise changes nothing. The encodings are Windows' code pages 437, 850, 1252, 866, 932
/// (Japanese), 949 (Korean), GBK and Big5 (Chinese).
void decode_legacy_names(const std::vector<std::string*>& names,
                         const std::vector<std::string>& people = {});

/// The same for cells of a table that a spreadsheet on Windows wrote: without code pages of DOS.
void decode_legacy_cells(const std::vector<std::string*>& cells);

}  // namespace warpgrade::grader::text
