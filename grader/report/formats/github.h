// SPDX-License-Identifier: Apache-2.0
// Reports for GitHub Actions: a step's summary in Markdown, and annotations on lines of the files.
//
// The summary goes to the file $GITHUB_STEP_SUMMARY. Annotations are commands on standard output,
// and so would a line be that a submission brings into the report: commands are stopped before it,
// until a secret word comes.
// Rules: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands.
#pragma once

#include <string>

#include "grader/report/formats/environment.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// The summary; below 1 MiB, which is the most that GitHub takes.
std::string render_github(const Report& report);

/// One command a line, ten at most, which is what GitHub shows of a step. A path below
/// $GITHUB_WORKSPACE is named from there.
std::string github_annotations(const Report& report, const Environment& environment);

/// The command after which nothing on standard output is one, and the one that ends that.
std::string github_stop_commands(const std::string& secret);
std::string github_resume_commands(const std::string& secret);

}  // namespace warpgrade::grader
