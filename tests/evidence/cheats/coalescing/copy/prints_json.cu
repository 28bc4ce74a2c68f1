// SPDX-License-Identifier: Apache-2.0
// tries: Prints the JSON of a pass, in case that standard output is read as the report.
// stopped by: The JSON is written to a file of its own from the report's struct
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
