// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory split into two arrays.
// launch: --kernel cut --grid 1 --block 32 --shared 384 --arg in:f32:32:iota --arg out:f32:32
extern __shared__ unsigned char room[];
__global__ void cut(const float* in, float* out) {
  double* sums = reinterpret_cast<double*>(room);
  float* values = reinterpret_cast<float*>(room + 32 * sizeof(double));
  const int t = threadIdx.x;
  values[t] = in[t];
  sums[t] = in[t] * 0.5;
  __syncthreads();
  out[t] = values[31 - t] + float(sums[(t + 1) % 32]);
}
