// SPDX-License-Identifier: Apache-2.0
// INFINITY, HUGE_VALF and the constants of math_constants.h.
// launch: --kernel specials --grid 1 --block 32 --arg out:f32:32
#include <cmath>
#include <math_constants.h>
__global__ void specials(float* out) {
  const float values[] = {INFINITY, -INFINITY, HUGE_VALF, CUDART_INF_F, CUDART_PI_F, CUDART_MAX_NORMAL_F};
  out[threadIdx.x] = values[threadIdx.x % 6];
}
