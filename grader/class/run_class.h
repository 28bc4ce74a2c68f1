// SPDX-License-Identifier: Apache-2.0
// `class run`: reads submissions into the book, has workers grade those without a grade, and writes
// each grade at once. If the run is killed, the same command continues.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/run/backend.h"
#include "grader/class/rules.h"
#include "grader/class/say.h"
#include "grader/report/provenance.h"

namespace warpgrade::grader::class_book {

struct RunOptions {
  std::filesystem::path book;
  std::filesystem::path submissions;
  std::string engine = "local";
  std::size_t workers = 0;  ///< 0: one per core, or the engine's choice.
  std::optional<run::Backend> backend;
  std::vector<std::string> students;  ///< Only these; empty: all.
  std::optional<Policy> policy;       ///< Instead of class.toml's.
  bool retry = false;
  bool strict = false;  ///< Grades with gates that the card cannot decide stay open.
};

/// Returns 0 if every submission has a grade, else 3. `provenance` names the program. Throws
/// base::UsageError and base::ToolError.
int run_class(const RunOptions& options, const report::Provenance& provenance, const Say& say);

}  // namespace warpgrade::grader::class_book
