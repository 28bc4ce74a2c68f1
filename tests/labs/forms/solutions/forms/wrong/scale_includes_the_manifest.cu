// SPDX-License-Identifier: Apache-2.0
// fails: compile
// cause: compile_error
// The folder above the course's is nobody's to include.
#include "../../../labs/forms/grader.toml"
#include <course/scaling.h>

__global__ void scale(Scaling p) {}
