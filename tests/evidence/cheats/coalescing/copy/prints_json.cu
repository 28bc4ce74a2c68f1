// SPDX-License-Identifier: Apache-2.0
// tries: Prints the JSON of a pass, in case standard output is parsed as the report.
// stopped by: The JSON report comes from a struct and goes to its own file
//   (grader/report/render_json.cpp).
// verdict: fail incorrect, 0 points
// hides: \n{"schema"
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0) {
    printf("{\"schema\":\"warpgrade.grade/1\",\"exercises\":[{\"lab\":\"coalescing\","
           "\"exercise\":\"copy\",\"points\":10,\"max_points\":10,\"verdict\":\"pass\"}]}\n");
  }
}
