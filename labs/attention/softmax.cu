// SPDX-License-Identifier: Apache-2.0
// Exercise attention/softmax: the softmax of each row of a matrix, with few reads of the row.
//
// Input: `in`, `rows` rows of `width` floats, row by row, and `scale`, above 0. Any sizes from 1 up.
// Output: `out`, as large: exp(scale * in[r][i] - most) divided by the sum of these over the row. `most`
// is the largest scale * in[r][j] of the row. Without it, exp() would overflow for large numbers.
// Launch: one block of 256 threads per row; no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow: it reads the row three times, for the maximum, for the sum and
// for the result, and each thread reads neighbouring elements of its own. Compute maximum and sum in one
// pass, and let neighbouring threads read neighbouring elements. Then run
//   ./warpgrade grade attention/softmax

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float most_of[256], sum_of[256];
  const int t = threadIdx.x;
  const long long begin = (long long)blockIdx.x * width;
  const int share = (width + 255) / 256;
  const int first = min(t * share, width), end = min(first + share, width);
  float most = -INFINITY, sum = 0;
  for (int i = first; i < end; ++i) most = fmaxf(most, scale * in[begin + i]);
  most_of[t] = most;
  __syncthreads();
  for (int i = 0; i < 256; ++i) most = fmaxf(most, most_of[i]);
  for (int i = first; i < end; ++i) sum += expf(scale * in[begin + i] - most);
  sum_of[t] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 256; ++i) sum += sum_of[i];
  for (int i = first; i < end; ++i) out[begin + i] = expf(scale * in[begin + i] - most) / sum;
}
