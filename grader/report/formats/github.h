// SPDX-License-Identifier: Apache-2.0
// Reports for GitHub Actions: a step's summary in Markdown, and annotations on lines of the files.
//
// The summary goes to the file $GITHUB_STEP_SUMMARY. Annotations are commands on standard output. A
// line from a submission in the report could also be one, so commands are stopped before it, until
// a secret word. Rules:
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands.
#pragma once

#include <string>

#include "grader/report/formats/environment.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The summary; below 1 MiB, GitHub's limit.
std::string render_github(const Report& report);

/// One command per line, ten at most, which is GitHub's limit per step. Paths below
/// $GITHUB_WORKSPACE are relative to it.
std::string github_annotations(const Report& report, const Environment& environment);

/// The command that disables commands on standard output, and the one that enables them again.
std::string github_stop_commands(const std::string& secret);
std::string github_resume_commands(const std::string& secret);

}  // namespace warpgrade::grader::report
