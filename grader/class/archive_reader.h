// SPDX-License-Identifier: Apache-2.0
// Reads an archive (zip, tar, 7z and other formats of libarchive, and single packed files).
//
// In: the bytes of an archive, and hints for the encoding of its names. Out: its files, and each
// refused entry with its reason. Bytes of files that may be work go into a file on disk.
// A child process reads the archive. It may open no file and no connection, and has limits on
// time, memory, entries and bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grader/class/found_file.h"

namespace warpgrade::grader::class_book {

/// Each kind of archive has limits of its own.
enum class ArchiveKind : std::uint8_t {
  kExport,   ///< A whole class's.
  kStudent,  ///< One student's.
  kPacked,   ///< One packed file and no archive: "copy.cu.gz".
};

struct ArchiveContent {
  std::vector<FoundFile> files;     ///< Paths have "/" between parts and none at the start.
  std::string failure;              ///< Why reading stopped early; empty if it did not.
  std::uint64_t unlisted = 0;       ///< Files that cannot be work and are not in `files`.
  bool may_have_code_page = false;  ///< Names that are not UTF-8 are in an older encoding.
};

inline auto wire_fields(ArchiveContent& content) {
  return std::tie(content.files, content.failure, content.unlisted, content.may_have_code_page);
}

/// Facts that an archive does not contain.
struct ArchiveHints {
  std::string zone = "UTC";         ///< Time zone of local times.
  std::vector<std::string> people;  ///< Names that may be in those of files: the roster's.
};

/// Reads the archive in a child process of this program. The files' bytes are in a new file in the
/// folder `temporary`. Throws base::ToolError if the child cannot start or the disk is full; an
/// archive that kills the child is a failure in the content. Zip files usually store local times.
ArchiveContent read_archive(const FoundFile& archive, ArchiveKind kind,
                            const std::filesystem::path& temporary, const ArchiveHints& hints = {});
/// The child: its standard input is the archive, and `kind` is a number of ArchiveKind.
int run_unpack(const std::string& zone, int kind);
int run_names();

/// The part of it without a process: reads the archive of the open file `descriptor`, with the
/// bytes of its files.
ArchiveContent unpack(int descriptor, ArchiveKind kind = ArchiveKind::kStudent);

}  // namespace warpgrade::grader::class_book
