// SPDX-License-Identifier: Apache-2.0
// Decodes file names in the encodings that archive programs wrote before UTF-8. An archive does not
// contain the name of its encoding. The encoding that reveals the most names of known people is
// chosen; otherwise the one that makes words of all names: letters of one script, not frames and
// signs. The C library converts. Its tables are loaded before a process is confined and can open no
// more files.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::grader::text {

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
