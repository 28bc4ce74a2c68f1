// SPDX-License-Identifier: Apache-2.0
// Converts the command line or a file for `warpgrade profile` to runnable launches.
// In: a source file and the launches as asked. Out: the file compiled, its kernels found,
// arguments checked against them, buffers made, and variables set. Failures are diagnostics in
// the report.
// Names of parameters come from the source, since PTX does not keep them. __constant__ and
// __device__ variables can be listed, or set before a launch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "grader/course/exercise.h"
#include "grader/profile/arguments.h"
#include "grader/report/profile_report.h"

namespace warpgrade::grader::profile {

// A sequence of launches for `warpgrade profile --sequence FILE.toml`.
//
//   variables                             { n = 1024 }: for the expressions below; optional
//   rounds                                repetitions of all launches; `round` counts them
//   [[buffer]]                            memory that the launches share
//     name*, spec*                        spec as for --arg: "inout:f32:1024:iota", "out:f32:1024"
//   [[value]]                             a number by value
//     name*, type*, value*                value may be an expression of variables, `step`, `round`
//   [[struct]]                            a structure by value
//     name*
//     [[struct.field]]                    in order, laid out as C++ does
//       name*, type*, value*              a number, or
//       name*, buffer*                    the address of the buffer of that name
//   [[launch]]                            in their order: kernel*, grid*, block*, and shared,
//                                         cooperative, cluster, times, swap as in a manifest
//                                         (course/sequence_reader.h), and
//     arguments                           names of buffers, values and structures
//
// Every mistake is a base::UsageError that begins with file:line:column.

struct SequenceFile {
  course::KernelExercise exercise;  ///< Its parameters, the buffers first; steps and rounds.
  text::Variables variables;
  std::vector<ArgumentSpec> buffers;  ///< One per buffer.

  /// Their names for the compiler, each once.
  std::vector<std::string> kernels() const;
};

SequenceFile read_sequence_file(const std::filesystem::path& file);

// The names that the source gives a kernel's parameters, which PTX does not keep.

/// The names of the parameters of `kernel` ("copy", "reduce<4>") as `source` defines it, in order.
/// Empty if it cannot find the definition (macros may hide it). For messages only: it searches the
/// text without compiling it.
std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel);

// The __constant__ and __device__ variables of a module: their list, and contents that
// `warpgrade profile --symbol NAME=SPEC` sets before a launch.
//
// SPEC is a buffer as for --arg (arguments.h) of exactly the variable's bytes. NAME is the
// variable's name in the source, without namespaces, or in PTX.

struct SymbolSpec {
  std::string name;
  ArgumentSpec content;
};

/// Reads "NAME=SPEC". Throws base::UsageError.
SymbolSpec parse_symbol(std::string_view text);

/// A buffer for each spec. Throws base::UsageError if the module has no such variable, if the sizes
/// differ, if a variable is named twice, or as make_buffer() does.
std::vector<run::Buffer> symbol_buffers(const ptx::Module& module,
                                        const std::vector<SymbolSpec>& specs);

/// The variables that a symbol can name, in the order of the module.
std::vector<report::ModuleSymbol> symbols_of(const ptx::Module& module);

/// Throws base::UsageError if the device of `profile` cannot launch this, or if no simulator could
/// ever finish it.
void check_geometry(const run::Launch& launch, const device::Profile& profile);

/// A launch as the command line describes it.
struct ProfiledLaunch {
  std::filesystem::path file;
  std::vector<std::filesystem::path> include_folders;  ///< Further folders for #include.
  std::vector<std::string> compiler_options;           ///< See compile::permitted_option().
  std::string kernel;                                  ///< Empty: the only one of the file.
  run::Launch launch;  ///< Geometry alone; its kernel and arguments follow from the others.
  std::vector<ArgumentSpec> arguments;
  std::vector<SymbolSpec> symbols;  ///< Their buffers follow those of the arguments.
  bool with_pictures = false;       ///< For --html.
  /// Not empty: a program of an earlier call with this key, compiled for the same architecture and
  /// instances of templates, is used again.
  std::string same_program;
  std::optional<SequenceFile> sequence;  ///< Instead of kernel, launch, arguments.
};

/// Launches whose kernels are compiled and found.
struct Prepared {
  compile::Program program;
  run::Sequence sequence;

  /// nullptr: the PTX has no entry of this name.
  const ptx::Function* function(const std::string& kernel) const;
};

/// Compiles the file of `asked` and adds its variables to `report`. Without a kernel, no template
/// is instantiated. On failure the report has the diagnostics.
void list_symbols(const ProfiledLaunch& asked, const device::Profile& profile,
                  report::ProfileReport& report);

/// Compiles the file of `asked` and adds the facts about its kernel, or about its only kernel if
/// none is named to `report`; types of
/// parameters are found by a second compilation. On failure the report has the diagnostics.
void list_kernel(const ProfiledLaunch& asked, const device::Profile& profile,
                 report::ProfileReport& report);

/// Prepares everything that `asked` needs, `buffers` too. Returns nullopt on failure, with the
/// diagnostics in `report`.
std::optional<Prepared> prepare(const ProfiledLaunch& asked, const device::Profile& profile,
                                report::ProfileReport& report, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader::profile
