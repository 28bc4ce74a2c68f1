// SPDX-License-Identifier: Apache-2.0
// Reports beside the source: summaries and annotations for GitHub Actions, and SARIF 2.1.0 for
// editors and code scanners.
#pragma once

#include <string>

#include "grader/report/formats/format_parts.h"
#include "grader/report/profile_report.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

// Reports for GitHub Actions: a step's summary in Markdown, and annotations on lines of the files.
//
// The summary goes to the file $GITHUB_STEP_SUMMARY. Annotations are commands on standard output. A
// line from a submission in the report could also be one, so commands are stopped before it, until
// a secret word. Rules:
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands.

/// The summary; below 1 MiB, GitHub's limit.
std::string render_github(const Report& report);

/// One command per line, ten at most, which is GitHub's limit per step. Paths below
/// $GITHUB_WORKSPACE are relative to it.
std::string github_annotations(const Report& report, const Environment& environment);

/// The command that disables commands on standard output, and the one that enables them again.
std::string github_stop_commands(const std::string& secret);
std::string github_resume_commands(const std::string& secret);

// Reports as SARIF 2.1.0, which editors and code scanners show beside the source.
//
// One result per remark: a diagnostic is an error, a failed gate a warning; the other
// access of a race is a related location. An exercise that could not be judged is a notification of
// the tool, and the invocation is then unsuccessful. Rules:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/.

/// Valid by OASIS's schema; columns are counted in Unicode code points.
std::string render_sarif(const Report& report);

/// The diagnostics of a profile, and warnings. An instruction that the simulator lacks is also a
/// notification of the tool.
std::string render_sarif(const ProfileReport& report, const Provenance& made);

}  // namespace warpgrade::grader::report
