// SPDX-License-Identifier: Apache-2.0
// Converts the command line or a file for `warpgrade profile` to runnable launches: the file
// compiled, its kernels found, arguments checked against them, buffers made.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/sequence.h"
#include "grader/profile/argument_spec.h"
#include "grader/profile/sequence_file.h"
#include "grader/profile/symbols.h"
#include "grader/report/profile_report.h"

namespace warpgrade::grader::profile {

/// Gives each `int:` argument the width of its parameter. Throws ArgumentMismatch, with the
/// expected list, if `arguments` do not fit the parameters of `function` in number or size;
/// `signature` is the kernel's.
void fit_arguments(const ptx::Function& function, const std::string& signature,
                   std::vector<ArgumentSpec>& arguments);

/// Throws base::UsageError if the device of `profile` cannot launch this, or if no simulator could
/// ever finish it.
void check_geometry(const run::Launch& launch, const device::Profile& profile);

/// A launch as the command line describes it.
struct ProfiledLaunch {
  std::filesystem::path file;
  std::vector<std::filesystem::path> include_folders;  ///< Further folders for #include.
  std::vector<std::string> compiler_options;           ///< See compile::permitted_option().
  std::string kernel;
  run::Launch launch;  ///< Geometry alone; its kernel and arguments follow from the others.
  std::vector<ArgumentSpec> arguments;
  std::vector<SymbolSpec> symbols;       ///< Their buffers follow those of the arguments.
  bool with_pictures = false;            ///< For --html.
  std::optional<SequenceFile> sequence;  ///< Instead of kernel, launch, arguments.
};

/// Launches whose kernels are compiled and found, with their PTX.
struct Prepared {
  compile::Program program;
  ptx::Module module;
  run::Sequence sequence;

  /// nullptr: the PTX has no entry of this name.
  const ptx::Function* function(const std::string& kernel) const;
};

/// Compiles the file of `asked` and adds its variables to `report`. Without a kernel, no template
/// is instantiated. On failure the report has the diagnostics.
void list_symbols(const ProfiledLaunch& asked, const device::Profile& profile,
                  report::ProfileReport& report);

/// Prepares everything that `asked` needs, `buffers` too. Returns nullopt on failure, with the
/// diagnostics in `report`.
std::optional<Prepared> prepare(const ProfiledLaunch& asked, const device::Profile& profile,
                                report::ProfileReport& report, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader::profile
