// SPDX-License-Identifier: Apache-2.0
// A file to grade with its content, and the seeds of its runs.
// In: a path, or a folder. Out: the content, read once, so that the graded text has the reported
// digest, even if the file changes meanwhile.
// The printed seed determines inputs, poison and the further orders of warps and blocks. The
// inputs of measured cases also depend on the submission's text, so that a kernel cannot
// recompute them.
#include "grader/cases/submission.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/compile/compiler_log.h"
#include "common/compile/source_outline.h"
#include "common/measure/measurement.h"

namespace warpgrade::grader::cases {

std::uint64_t input_salt(std::string_view source) {
  std::string all;
  for (const auto& token : compile::tokens_of(source)) {
    all += source.substr(token.begin, token.end - token.begin);
    all += '\0';
  }
  const auto digest = base::sha256(all);
  std::uint64_t salt = 0;
  for (std::size_t i = 0; i < sizeof salt; ++i) salt = salt << 8 | digest.at(i);
  return salt;
}

std::vector<std::uint64_t> schedule_seeds(std::uint64_t seed, const measure::Measurement& measured,
                                          std::uint64_t most) {
  if (run::thread_instructions(measured.result) > most) return {};
  // Seeds are odd, so none is 0, which means the order by number.
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
  return {(seed * kStep) | 1, ((seed + 1) * kStep) | 1};
}

void add_replay(std::vector<base::Diagnostic>& found, const std::string& replay) {
  for (auto& diagnostic : found) {
    if (diagnostic.kind != base::DiagnosticKind::kRace) diagnostic.seen.replay = replay;
  }
}

namespace {

namespace fs = std::filesystem;

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto inside = file.lexically_relative(folder);
  return !inside.empty() && *inside.begin() != "..";
}

// The absolute path without a trailing /, which would add an empty name.
fs::path absolute_of(const fs::path& path) {
  const auto out = fs::absolute(path).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

// The path of the submission in `folder`. Throws base::UsageError if it does not exist.
fs::path file_in(const fs::path& folder, const fs::path& file, const std::vector<fs::path>& names) {
  std::error_code ignored;
  const auto shown = base::escape_controls(folder.string());
  if (!fs::is_directory(folder, ignored)) {
    throw base::UsageError(fmt::format("{}: no such folder", shown));
  }
  if (file.empty()) {
    std::string tried;
    for (const auto& name : names) {
      if (fs::exists(fs::symlink_status(folder / name, ignored))) return folder / name;
      tried += (tried.empty() ? "" : " nor ") + name.generic_string();
    }
    throw base::UsageError(fmt::format(
        "{} holds neither {}; name the file by --folder {} --file FILE", shown, tried, shown));
  }
  for (const auto& path : {file, folder / file}) {
    const bool is_there = fs::exists(fs::symlink_status(path, ignored));
    if (is_there && lies_in(absolute_of(path), absolute_of(folder))) return path;
  }
  throw base::UsageError(fmt::format("--file {}: no such file in the folder {}",
                                     base::escape_controls(file.string()), shown));
}

}  // namespace

Submission read_submission(std::filesystem::path file, std::string shown) {
  Submission out{std::move(file), std::move(shown), {}, {}, {}};
  out.options = "--file " + out.shown;
  std::string bytes;
  try {
    bytes = compile::read_source_bytes(out.file);
  } catch (const base::UsageError& error) {
    out.content = Unreadable{error.what()};
    return out;
  }
  if (bytes.size() <= compile::kMostSourceBytes) out.sha256 = base::sha256_hex(bytes);
  auto source = compile::source_of(out.file, std::move(bytes));
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    for (auto& diagnostic : *wrong) diagnostic.where.file = out.shown;
    out.content = std::move(*wrong);
    return out;
  }
  auto& request = std::get<compile::CompileRequest>(source);
  request.file = out.shown;
  out.content = std::move(request);
  return out;
}

Submission read_folder(const fs::path& folder, const fs::path& file,
                       const std::vector<fs::path>& names,
                       const std::function<std::string(const fs::path&)>& show) {
  const auto found = file_in(folder, file, names);
  std::error_code ignored;
  const auto real = fs::canonical(found, ignored);
  Submission out;
  if (!real.empty() && !lies_in(real, fs::canonical(folder, ignored))) {
    out.file = found;
    out.shown = show(found);
    out.content = std::vector{compile::compile_error(
        out.shown, 0, 0,
        "it is a link to a file outside the submission's folder; submit the file itself")};
  } else {
    out = read_submission(found, show(found));
    if (auto* request = std::get_if<compile::CompileRequest>(&out.content)) {
      request->root = absolute_of(folder);
    }
  }
  out.options = fmt::format("--folder {} --file {}", show(folder), out.shown);
  return out;
}

}  // namespace warpgrade::grader::cases
