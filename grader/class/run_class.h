// SPDX-License-Identifier: Apache-2.0
// `class run`: reads what was handed in into the book, has workers grade what lacks a grade, and
// writes each grade as it comes. Killed at any moment, the same call goes on where it was.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/run/backend.h"
#include "grader/class/class_rules.h"
#include "grader/class/say.h"
#include "grader/course/course.h"
#include "grader/report/provenance.h"

namespace warpgrade::grader {

struct ClassRunOptions {
  std::filesystem::path book;
  std::filesystem::path submissions;
  std::string engine = "local";
  std::size_t workers = 0;  ///< 0: one a core, or what the engine has.
  std::optional<run::Backend> backend;
  std::vector<std::string> students;  ///< Only these; empty: all.
  std::optional<Policy> policy;       ///< Instead of class.toml's.
  bool retry = false;
  bool strict = false;  ///< Grades with gates that the card cannot decide stay open.
};

/// 0 where every submission has a grade, 3 where some have none yet. `provenance` names the
/// program. Throws base::UsageError and base::ToolError.
int run_class(const ClassRunOptions& options, const Course& course, const Provenance& provenance,
              const Say& say);

}  // namespace warpgrade::grader
