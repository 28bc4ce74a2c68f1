// SPDX-License-Identifier: Apache-2.0
// A CUDA C++ kernel file in; PTX, machine code and resource use out, or the compile errors.
//
// NVRTC runs in a child process (see compiler_main.cpp) with limits on CPU time and memory, so that
// a template bomb or a crash of the compiler is a compile error of the file and never ours. The
// file is compiled unmodified; nothing of it ever runs on the host.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"

namespace warpgrade::compile {

struct Limits {
  std::chrono::seconds cpu_time{12};  ///< The file may take so much, however busy the machine is.
  /// After which a compiler that has not ended hangs. It says nothing of the file: our failure.
  std::chrono::seconds wall_time{600};
  std::uint64_t memory_bytes = std::uint64_t{3} << 29;  ///< A grade compiles for two at a time.
};

struct CompileRequest {
  std::string file;              ///< Name to show, and __FILE__.
  std::string source;            ///< The whole text.
  std::filesystem::path folder;  ///< The file's: #include "x.h" looks there first.
  /// The submission's folder, which holds `folder`: includes reach all of it. Empty: `folder`.
  std::filesystem::path root;
  /// Further folders where #include looks, the course's; none of their files is the submission's.
  std::vector<std::filesystem::path> include_folders;
  /// Real: "sm_75", "sm_90"; or virtual, "compute_90": PTX alone, for what is only simulated.
  std::string architecture = "sm_90";
  std::vector<std::string> instantiations;  ///< Name expressions: "reduce_threads<4>".
  Limits limits;
};

/// The program, or what is wrong with the source: never empty, each of kind kCompileError, or
/// kUnsupported for code that is right and that warpgrade cannot run.
using Result = std::variant<Program, std::vector<base::Diagnostic>>;

/// Compiles; throws base::ToolError where there is no compiler, or it cannot be started, hangs, or
/// is killed from outside. An
/// instantiation that the file has no template for is left out of Program::lowered, so that
/// find_kernel can say so beside the signature that is expected.
Result compile(const CompileRequest& request);

/// The same of a text of the course's or of the program's own, whose answer is kept on disk once
/// keep_own_answers_in() of kept_answers.h has said where.
Result compile_own(const CompileRequest& request);

/// The files that do it: the compiler process and libnvrtc. Throws base::ToolError where there is
/// no toolkit.
std::vector<std::filesystem::path> compiler_files();

/// A file of more bytes is no kernel's source.
constexpr std::size_t kMostSourceBytes = std::size_t{4} << 20;

/// The bytes of `file`; of a larger one than kMostSourceBytes, some more than so many. Throws
/// base::UsageError where the file cannot be read.
std::string read_source_bytes(const std::filesystem::path& file);

/// The source in `bytes`, the content of `file`, for compile(); a null byte or text that is no
/// source is a diagnostic.
std::variant<CompileRequest, std::vector<base::Diagnostic>> source_of(
    const std::filesystem::path& file, std::string bytes);

/// Reads a submission for compile(): skips a byte order mark. Throws base::UsageError where the
/// file cannot be read; a null byte or text that is no source is a diagnostic.
std::variant<CompileRequest, std::vector<base::Diagnostic>> read_source(
    const std::filesystem::path& file);

/// The kernel of `program` that `name` means: an extern "C" name, a plain C++ name or a template
/// instance; or a diagnostic in our words that says what there is instead and, where `signature`
/// is given ("copy(float*, const float*, int, int)"), names the parameter list that is expected.
std::variant<const Kernel*, base::Diagnostic> find_kernel(const Program& program,
                                                          const std::string& name,
                                                          const std::string& signature = {});

}  // namespace warpgrade::compile
