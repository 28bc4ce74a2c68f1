// SPDX-License-Identifier: Apache-2.0
// exp, log, sin and atan2 in double precision.
// launch: --kernel values --grid 1 --block 32 --arg in:f64:32:iota --arg out:f64:128
__global__ void values(const double* in, double* out) {
  const double x = in[threadIdx.x] * 0.37 + 0.01;
  double* mine = out + 4 * threadIdx.x;
  mine[0] = exp(x);
  mine[1] = log(x);
  mine[2] = sin(x);
  mine[3] = atan2(x, 2.0);
}
