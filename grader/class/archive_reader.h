// SPDX-License-Identifier: Apache-2.0
// Reads an archive (zip, tar, 7z and other formats of libarchive) into memory.
//
// In: the bytes of an archive, and hints for the encoding of its names. Out: its files, and each
// refused entry with its reason.
// A child process reads the archive. It may open no file and no connection, and has limits on
// time, memory, entries and bytes. Nothing is written to disk.
// Some programs mark names in other encodings as UTF-8; libarchive then gives no name at all.
// Such marks are cleared first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grader/class/hand_in.h"

namespace warpgrade::grader::class_book {

/// Clears the flag of each entry of the zip file whose name is not UTF-8. It changes no bytes of
/// other files.
void clear_wrong_utf8_flags(std::span<char> zip);

/// A larger file cannot be a submission (compile::kMostSourceBytes), but a nested archive may be
/// this large.
constexpr std::uint64_t kMostArchivedBytes = std::uint64_t{32} << 20;

struct ArchiveContent {
  std::vector<FoundFile> files;     ///< Paths have "/" between parts and none at the start.
  std::string failure;              ///< Why reading stopped early; empty if it did not.
  bool may_have_code_page = false;  ///< Names that are not UTF-8 are in an older encoding.
};

inline auto wire_fields(ArchiveContent& content) {
  return std::tie(content.files, content.failure, content.may_have_code_page);
}

/// Facts that an archive does not contain.
struct ArchiveHints {
  std::string zone = "UTC";         ///< Time zone of local times.
  std::vector<std::string> people;  ///< Names that may be in those of files: the roster's.
};

/// Reads `bytes` in a child process of this program. Throws base::ToolError if the child cannot
/// start; an archive that kills the child is a failure in the content. Zip files usually store
/// local times.
ArchiveContent read_archive(std::string_view bytes, const ArchiveHints& hints = {});
int run_unpack(const std::string& zone);
int run_names();

/// The part of it without a process: reads the archive of the open file `descriptor`.
ArchiveContent unpack(int descriptor);

}  // namespace warpgrade::grader::class_book
