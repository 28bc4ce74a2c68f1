// SPDX-License-Identifier: Apache-2.0
// Names of files in the encodings that archive programs wrote before UTF-8. An archive does not say
// which one it has. The encoding is chosen in which names of people are found that are known
// anyway, or else the one that makes words of all names: letters of one script, not frames and
// signs. The C library converts; its tables are loaded before a process may
// open no file any more.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::grader::text {

/// Loads the tables. Otherwise the first call of decode_legacy_names() does.
void load_legacy_encodings();

/// Turns the names into UTF-8 if an encoding makes words of them or has names of `people` in them;
/// otherwise it changes nothing. Their encoding is one of Windows' code pages 437, 850, 1252, 866,
/// 932 (Japanese), 949 (Korean), GBK and Big5 (Chinese).
void decode_legacy_names(const std::vector<std::string*>& names,
                         const std::vector<std::string>& people = {});

/// The same for cells of a table that a spreadsheet of Windows wrote: not in code pages of DOS.
void decode_legacy_cells(const std::vector<std::string*>& cells);

}  // namespace warpgrade::grader::text
