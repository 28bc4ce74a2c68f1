// SPDX-License-Identifier: Apache-2.0
// Reads the files of SUBMISSIONS into memory under their names there: files of a folder and its
// subfolders, and files of exported archives. It does not follow links and does not wait for
// pipes.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/class/archive_reader.h"
#include "grader/class/sorting.h"

namespace warpgrade::grader::class_book {

struct FoundTree {
  std::vector<FoundFile> files;       ///< Their paths begin in SUBMISSIONS, or in the archive.
  std::vector<std::string> archives;  ///< Exports whose files are among `files`.
  std::set<std::string> folders;      ///< The topmost ones.
  std::map<std::string, std::filesystem::path> repositories;  ///< ".git", by the folder around it.
  std::vector<HandInProblem> problems;
};

/// Whether an archive is a student's by its name, and not an export.
using IsStudents = std::function<bool(const std::string& name)>;

/// Archives beside folders are exports if `has_rule`; without folders, they always are, unless a
/// student handed them in. Throws base::UsageError if a folder or archive does not exist.
FoundTree read_tree(const std::filesystem::path& submissions, bool has_rule,
                    const ArchiveHints& hints, const IsStudents& is_students);

/// The files of an archive. `failure` receives the reason if it could not be read to its end, and
/// is otherwise empty.
std::vector<FoundFile> files_of(const FoundFile& archive, const std::string& shown,
                                const ArchiveHints& hints, std::string& failure);

}  // namespace warpgrade::grader::class_book
