// SPDX-License-Identifier: Apache-2.0
// `warpgrade class` in a build without its libraries: each command explains how to install them.

#include "common/base/error.h"
#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {
namespace {

[[noreturn]] int lacks_class() {
  throw base::ToolError(
      "this build grades no classes: install libsqlite3-dev, libsqlitecpp-dev, libarchive-dev, "
      "libpcre2-dev, libseccomp-dev and libutf8proc-dev, remove the build folder, and run "
      "./warpgrade again");
}

}  // namespace

int run_class_run(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_status(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_export(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_feedback(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_adjust(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_extend(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_excuse(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_match(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_explain(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_forget(const ClassOptions& /*options*/) { lacks_class(); }
int run_class_worker(const ClassWorkerOptions& /*options*/) { lacks_class(); }
int run_class_card() { lacks_class(); }
int run_class_judge(const ClassWorkerOptions& /*options*/) { lacks_class(); }
int run_class_unpack(const ClassWorkerOptions& /*options*/) { lacks_class(); }
int run_class_names() { lacks_class(); }

}  // namespace warpgrade::grader::cli
