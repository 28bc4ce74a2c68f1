// SPDX-License-Identifier: Apache-2.0
// Compiles a CUDA C++ kernel file, from the file on disk to a Program or compile errors.
//
// It reads the source and refuses binary content early. It sends a request to the compiler
// process and converts its answer, or its end, to a Result. Our own kernels are compiled at first
// use, once per architecture. Users may pass on only options that do not choose the architecture,
// the output or the search path, because the program sets these itself.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/compile/signature.h"

namespace warpgrade::compile {

// The options of NVRTC that a user of `profile` may pass on.
//
// Options that choose the architecture, the output or the search path are not among them, because
// the program sets these itself.

/// The option as CompileRequest::options requires it: in NVRTC's long form, or "-std=c++17" or
/// "-std=c++20". Older standards become C++17, which contains them. Returns nullopt for an option
/// that is not permitted.
std::optional<std::string> permitted_option(std::string_view option);

struct Limits {
  std::chrono::seconds cpu_time{12};  ///< Limit for the file, independent of the machine's load.
  /// Limit after which the compiler counts as hung: our failure, not the file's.
  std::chrono::seconds wall_time{600};
  std::uint64_t memory_bytes = std::uint64_t{3} << 29;  ///< A grader compiles two files at a time.
};

struct CompileRequest {
  std::string file;              ///< Name in messages.
  std::string source;            ///< The whole text.
  std::filesystem::path folder;  ///< The file's folder: #include "x.h" looks here first.
  /// The submission's folder, which contains `folder` and limits its includes. Empty: `folder`.
  std::filesystem::path root;
  /// Further include folders, from the course; their files do not belong to the submission.
  std::vector<std::filesystem::path> include_folders;
  /// Real: "sm_75", "sm_90"; or virtual, "compute_90": only PTX, for simulation.
  std::string architecture = "sm_90";
  std::vector<std::string> options;         ///< Further options of NVRTC, see compiler.h.
  std::vector<std::string> instantiations;  ///< Name expressions: "reduce_threads<4>".
  Limits limits;
};

/// The program, or the errors in the source: never empty, each of kind kCompileError, or
/// kUnsupported for valid code that warpgrade cannot run. A few warnings may follow the errors.
using Result = std::variant<Program, std::vector<base::Diagnostic>>;

/// Removes the warnings from the diagnostics of a Result, and returns them.
std::vector<base::Diagnostic> take_warnings(std::vector<base::Diagnostic>& found);

/// Compiles the request. Throws base::ToolError if the compiler is missing, cannot be started,
/// hangs, or is killed from outside. Program::lowered omits an instantiation without a
/// template in the file, so that find_kernel can report it together with the expected
/// signature.
Result compile(const CompileRequest& request);

/// The same for a text of the course or of the program itself. Its answer is cached on disk after a
/// call of keep_own_answers_in() in job.h.
Result compile_own(const CompileRequest& request);

/// The files of the compiler: the compiler process and libnvrtc. Throws base::ToolError without a
/// toolkit.
std::vector<std::filesystem::path> compiler_files();

/// Limit on the size of a kernel's source file.
constexpr std::size_t kMostSourceBytes = std::size_t{4} << 20;

/// The bytes of `file`; for a file larger than kMostSourceBytes, slightly more than that limit.
/// Throws base::UsageError if the file is unreadable.
std::string read_source_bytes(const std::filesystem::path& file);

/// The source in `bytes`, the content of `file`, for compile(); a null byte or other binary content
/// is a diagnostic.
std::variant<CompileRequest, std::vector<base::Diagnostic>> source_of(
    const std::filesystem::path& file, std::string bytes);

/// Reads a submission for compile(), in UTF-8 or UTF-16, without a byte order mark. Throws
/// base::UsageError if the file is unreadable; a null byte or other binary content is a diagnostic.
std::variant<CompileRequest, std::vector<base::Diagnostic>> read_source(
    const std::filesystem::path& file);

/// Compiles `source` as `file` for `architecture` and caches the result for the life of the program
/// under both names. Thread-safe. Throws base::ToolError "WHAT does not compile ..." on errors,
/// which mean a broken compiler.
const Program& own_program(const std::string& what, const std::string& file, const char* source,
                           const std::string& architecture);

}  // namespace warpgrade::compile
