// SPDX-License-Identifier: Apache-2.0
// tries: Hands in a folder whose headers go up from one another until they are at the course's solution.
// stopped by: A path is resolved before it is looked at, and what lies outside of the folder is not
//   there (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
// hides: blockIdx
#include "parts/up.h"
