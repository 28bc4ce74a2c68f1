// SPDX-License-Identifier: Apache-2.0
// A file to grade with its content, and the seeds of its runs. They include the default seed, the
// salt of measured inputs, and seeds of further orders of warps and blocks.
// The file is read once, so that the graded text has the reported digest, even if the file
// changes meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/compiler.h"
#include "common/measure/measurement.h"

namespace warpgrade::grader::cases {

// The default seed of inputs and poison.

/// Any fixed number does; reports show it.
constexpr std::uint64_t kDefaultSeed = 20100618;

// Keeps a submission from knowing the contents of its measured cases.
//
// The seed of the inputs is printed and the rule that fills them is public, so a kernel could
// recompute its input instead of reading it. The contents of a measured case therefore also depend
// on the submission's text: a kernel with built-in contents would change them. The same file still
// gets the same contents, and the same grade. A salt from compiled code would not work, because the
// compiler may number registers differently each time.

/// A hash of the tokens of `source`, without comments and whitespace. Nobody can write a source for
/// a chosen salt.
std::uint64_t input_salt(std::string_view source);

// Further orders of warps and blocks for a launch, besides the order by number.

/// Thread instructions of a case that is graded in further orders: enough for all but the large
/// ones, and a tenth of a second for a whole exercise.
constexpr std::uint64_t kMostGradedInstructions = std::uint64_t{1} << 21;
/// Thread instructions of a launch that is profiled in further orders: half a second.
constexpr std::uint64_t kMostProfiledInstructions = std::uint64_t{1} << 23;

/// Seeds of the further orders for a launch that is right so far, which follow from `seed`; none if
/// it executes more than `most` thread instructions.
std::vector<std::uint64_t> schedule_seeds(std::uint64_t seed, const measure::Measurement& measured,
                                          std::uint64_t most);

/// Adds to each diagnostic in `found` how to reproduce it. Races need none: every order shows them.
void add_replay(std::vector<base::Diagnostic>& found, const std::string& replay);

/// The file could not be read; its content is unknown.
struct Unreadable {
  std::string why;
};

struct Submission {
  std::filesystem::path file;
  std::string shown;   ///< Its name in reports.
  std::string sha256;  ///< SHA-256 of its bytes in hex; empty if not all of them were read.
  /// Its text under the printed name, or its faults.
  std::variant<Unreadable, std::vector<base::Diagnostic>, compile::CompileRequest> content;
  /// How a command line names it: "--file copy.cu", or "--folder ada --file ada/copy.cu".
  std::string options{};
};

Submission read_submission(std::filesystem::path file, std::string shown);

/// The submission in `folder`: includes may reach all of the folder and no file outside. `file` is
/// a path relative to the working folder or to `folder`; if empty, the first existing file of
/// `names`. Throws base::UsageError if none exists, or if `file` is not in the folder. A link that
/// leads out of the folder is a diagnostic. `show` makes the name for reports.
Submission read_folder(const std::filesystem::path& folder, const std::filesystem::path& file,
                       const std::vector<std::filesystem::path>& names,
                       const std::function<std::string(const std::filesystem::path&)>& show);

}  // namespace warpgrade::grader::cases
