// SPDX-License-Identifier: Apache-2.0
// The commands that the students' program does not contain. `./warpgrade` builds the whole program
// for them, so their messages appear only if a user starts the students' program directly.

#include "common/base/error.h"
#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {
namespace {

[[noreturn]] int not_built() {
  throw base::ToolError("this program contains only the commands of students: run ./warpgrade");
}

}  // namespace

int run_study_command(const StudyOptions& /*options*/) { not_built(); }
int run_probe(const std::string& /*file*/, std::optional<int> /*gpu*/) { not_built(); }
int run_check(const CheckOptions& /*options*/) { not_built(); }
int run_init(const InitOptions& /*options*/) { not_built(); }
int run_new(const NewOptions& /*options*/) { not_built(); }
int run_pack(const PackOptions& /*options*/) { not_built(); }
int run_calibrate(const CalibrateOptions& /*options*/) { not_built(); }
int run_class_run(const ClassOptions& /*options*/) { not_built(); }
int run_class_status(const ClassOptions& /*options*/) { not_built(); }
int run_class_export(const ClassOptions& /*options*/) { not_built(); }
int run_class_feedback(const ClassOptions& /*options*/) { not_built(); }
int run_class_adjust(const ClassOptions& /*options*/) { not_built(); }
int run_class_extend(const ClassOptions& /*options*/) { not_built(); }
int run_class_excuse(const ClassOptions& /*options*/) { not_built(); }
int run_class_match(const ClassOptions& /*options*/) { not_built(); }
int run_class_explain(const ClassOptions& /*options*/) { not_built(); }
int run_class_forget(const ClassOptions& /*options*/) { not_built(); }
int run_class_worker(const ClassWorkerOptions& /*options*/) { not_built(); }
int run_class_card() { not_built(); }
int run_class_judge(const ClassWorkerOptions& /*options*/) { not_built(); }
int run_class_unpack(const ClassWorkerOptions& /*options*/) { not_built(); }
int run_class_names() { not_built(); }

}  // namespace warpgrade::grader::cli
