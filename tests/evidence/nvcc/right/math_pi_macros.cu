// SPDX-License-Identifier: Apache-2.0
// M_PI and M_SQRT2 in float and double arithmetic.
// launch: --kernel angles --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
#include <cmath>
__global__ void angles(const float* in, double* out) { out[threadIdx.x] = in[threadIdx.x] * M_PI / 180 + float(M_SQRT2); }
