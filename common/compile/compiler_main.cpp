// SPDX-License-Identifier: Apache-2.0
// The program's compiler process (compiler_process.h), which compiles each job.
#include <unistd.h>

#include "common/compile/compiler_process.h"

// Exits without destructors, because NVRTC's state after a failure is not reliable.
int main() { ::_exit(warpgrade::compile::answer_one_job(nullptr)); }
