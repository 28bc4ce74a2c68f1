// SPDX-License-Identifier: Apache-2.0
// A file of the submissions, and the place of its bytes until they are needed.
//
// A class may hand in more than memory holds. So a run first learns the names, sizes and times of
// all files, and loads the bytes of one hand-in at a time. Files that cannot be work by their names
// are never read. What an archive holds waits in a file without a name on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace warpgrade::grader::class_book {

/// A file on disk without a name: it ends with the run.
class Scratch {
 public:
  /// Throws base::ToolError with the folder if it cannot be written.
  explicit Scratch(std::filesystem::path folder);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  int descriptor() const { return descriptor_; }
  std::uint64_t size() const { return size_; }
  /// Throws base::ToolError if the disk is full.
  void append(std::string_view bytes);
  /// Throws base::ToolError if they cannot be read.
  std::string read(std::uint64_t offset, std::uint64_t size) const;

 private:
  std::filesystem::path folder_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// A file that was read or refused.
struct FoundFile {
  std::string
      path;  ///< In the student's folder, or in the archive. A library's folder ends in '/'.
  std::string bytes;
  std::string refused;  ///< Why it was not read.
  std::optional<std::int64_t> time = 0;
  bool unread = false;  ///< Refused by permissions or a failing disk, not by content.
  std::string shown;    ///< From SUBMISSIONS, for people; empty: made of the source and `path`.
  bool late_mark = false;
  std::int64_t number = 0;   ///< Number of an upload of one name, if the platform counts.
  std::int64_t attempt = 0;  ///< Number of the attempt, by the platform or the rule.
  std::uint64_t size = 0;    ///< Also of bytes that were not read.
  std::uint64_t offset = 0;  ///< Place of its bytes in `scratch`.
  std::shared_ptr<const Scratch> scratch = {};
  std::filesystem::path on_disk = {};  ///< The place of its bytes, if they are not in `scratch`.
};

/// What is known of a file in an archive.
inline auto wire_fields(FoundFile& file) {
  return std::tie(file.path, file.refused, file.time, file.size, file.offset);
}

/// A larger file cannot be a submission (compile::kMostSourceBytes), but an archive may be this
/// large.
constexpr std::uint64_t kMostArchivedBytes = std::uint64_t{32} << 20;

/// The most bytes that a file of this name may have.
std::uint64_t most_bytes(std::string_view path);

/// Whether a file of this name may be work or belong to it.
bool can_be_work(std::string_view path);

/// Whether a file of this name may be work, hold it, or name its student. Other files are not read.
bool is_worth_reading(std::string_view path);

/// The folder of a library in a path, with its '/': "venv/lib/python3.11/site-packages/". Empty if
/// the path has none.
std::string_view library_folder(std::string_view path);

/// A regular file of a folder, without its bytes; refused if it is larger than `most`. No link is
/// followed, and no pipe waited for.
FoundFile find_file(const std::filesystem::path& path, std::string name,
                    std::optional<std::uint64_t> most = std::nullopt);

/// Reads the file's bytes, or stores in it why they cannot be read.
void load(FoundFile& file);

}  // namespace warpgrade::grader::class_book
