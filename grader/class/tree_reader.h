// SPDX-License-Identifier: Apache-2.0
// Finds the files of SUBMISSIONS: those of a folder and its subfolders, and those of exported
// archives. It follows no links and waits for no pipes. Bytes are read later (found_file.h).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/class/archive_reader.h"
#include "grader/class/found_file.h"
#include "grader/class/hand_in.h"

namespace warpgrade::grader::class_book {

struct FoundTree {
  std::vector<FoundFile> files;       ///< Their paths begin in SUBMISSIONS, or in the archive.
  std::vector<std::string> archives;  ///< Exports whose files are among `files`.
  std::set<std::string> folders;      ///< The topmost ones.
  std::map<std::string, std::filesystem::path> repositories;  ///< ".git", by the folder around it.
  std::vector<HandInProblem> problems;
};

struct TreeOptions {
  ArchiveHints hints;
  /// Archives beside folders are exports. Without folders, they always are, unless a student handed
  /// them in.
  bool has_rule = false;
  /// Whether an archive is a student's by its path, and not an export.
  std::function<bool(const std::string& path)> is_students;
  std::filesystem::path book;  ///< It and the files beside it that belong to it are not work.
  /// The folder for temporary files.
  std::filesystem::path temporary = std::filesystem::temp_directory_path();
};

/// Throws base::UsageError if `submissions` does not exist.
FoundTree read_tree(const std::filesystem::path& submissions, const TreeOptions& options);

/// The archive that the file came from; "" for a folder.
std::string archive_of(const FoundFile& file, const FoundTree& tree);

/// Takes the drafts of Teams out of the tree if the same student turned files in. Other drafts are
/// refused.
std::vector<FoundFile> take_drafts(FoundTree& tree);

/// The files of an archive; `failure` receives the reason if it could not be read to its end, and
/// is otherwise empty.
ArchiveContent files_of(const FoundFile& archive, ArchiveKind kind, const TreeOptions& options);

}  // namespace warpgrade::grader::class_book
