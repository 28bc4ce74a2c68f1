// SPDX-License-Identifier: Apache-2.0
// tries: Submits a folder with headers whose includes climb up to the course's solution.
// stopped by: Paths are resolved before they are checked, and files outside the folder do not exist
//   for the compiler (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
// hides: blockIdx
#include "parts/up.h"
