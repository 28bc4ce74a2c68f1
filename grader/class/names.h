// SPDX-License-Identifier: Apache-2.0
// Names of people and files: the rule for an LMS's file names, composed letters, folded spellings,
// and decoded names of old archives.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::class_book {

/// The parts that a rule finds in a name; a group that is missing or did not match is empty.
struct NameParts {
  std::string student;
  std::string lab;
  std::string exercise;
  std::string time;
  std::string attempt;
};

/// The rule for file names: a regular expression (PCRE2) with the named groups `student` and
/// `exercise`, and optionally `time`, `lab` and `attempt`.
class NameRule {
 public:
  /// Throws base::UsageError with the place of a mistake in the expression, or if it has no group
  /// `student`. An expression without `exercise` is for archives alone.
  explicit NameRule(const std::string& expression);

  /// Looks in the last part of `path` ("/" between parts), then in the whole; returns nullopt if
  /// neither matches. Gives up on a name if matching takes too many steps.
  std::optional<NameParts> match(std::string_view path) const;

  /// The groups `names` of a match in the whole of `text`, empty if they did not take part.
  std::optional<std::vector<std::string>> groups(std::string_view text,
                                                 const std::vector<const char*>& names) const;

 private:
  std::optional<NameParts> match_text(std::string_view text) const;

  std::shared_ptr<void> code_;
};

/// Whether `name` has the pattern's form: "*" is any text, "?" one byte.
bool fits_pattern(std::string_view pattern, std::string_view name);

/// A path as a relative URL: escapes every byte except letters, digits and "-._/".
std::string url_path(std::string_view path);

/// Whether a file is an archive by its name: .zip, .tar, .tar.gz, .tgz, .tar.xz, .7z ...
bool is_archive_name(std::string_view path);

/// The name that a packed file has without the packing: "copy.cu" of "copy.cu.gz". Empty for
/// others.
std::string_view unpacked_name(std::string_view path);

/// Whether a file may hold a kernel or answers by its suffix.
bool may_be_work(std::string_view path);

/// Whether a file is a header by its suffix.
bool is_header(std::string_view path);

/// `text` with the letters A to Z in lower case.
std::string ascii_lower(std::string_view text);

/// `text` with letters and their accents composed (Unicode's NFC), so that a name from a Mac, which
/// separates them, equals the same name from other systems. Bytes that are not valid UTF-8 stay.
std::string composed_text(std::string_view text);

/// composed_text() without the marks that no reader sees, such as those for the direction of
/// Arabic.
std::string visible_text(std::string_view text);

/// A form in which the spellings of one name are equal: composed, in lower case, with one space
/// between words. Platforms write names in lower case (Canvas) or with other spaces.
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
/// (Japanese), 949 (Korean), GBK and Big5 (Chinese). With `people` they are also those of Central
/// Europe, Turkey, Greece and others, whose letters look like words in the first ones.
void decode_legacy_names(const std::vector<std::string*>& names,
                         const std::vector<std::string>& people = {});

/// The same for cells of a table that a spreadsheet on Windows wrote: without code pages of DOS.
void decode_legacy_cells(const std::vector<std::string*>& cells);

}  // namespace warpgrade::grader::class_book
