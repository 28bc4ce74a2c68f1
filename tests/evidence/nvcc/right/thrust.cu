// SPDX-License-Identifier: Apache-2.0
// Thrust in device code. corpus.py describes the parts.

//--- thrust_complex
// thrust::complex in a kernel.
// launch: --kernel products --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:64
#include <thrust/complex.h>
__global__ void products(const float* in, float* out) {
  const thrust::complex<float> z(in[threadIdx.x], 1);
  const thrust::complex<float> w = z * z + 2.0f;
  out[2 * threadIdx.x] = w.real();
  out[2 * threadIdx.x + 1] = w.imag();
}

//--- thrust_pair_swap
// thrust::pair and thrust::swap.
// launch: --kernel pairs --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <thrust/pair.h>
#include <thrust/swap.h>
__global__ void pairs(const int* in, int* out) {
  thrust::pair<int, int> p(in[threadIdx.x], 31 - in[threadIdx.x]);
  if (p.first > p.second) thrust::swap(p.first, p.second);
  out[threadIdx.x] = p.first * 100 + p.second;
}

//--- thrust_reduce_in_thread
// thrust::reduce and transform within one thread.
// launch: --kernel sums --grid 1 --block 4 --arg inout:i32:32:iota --arg out:i32:4
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
__global__ void sums(int* data, int* out) {
  int* row = data + 8 * threadIdx.x;
  thrust::transform(thrust::seq, row, row + 8, row, thrust::negate<int>());
  out[threadIdx.x] = thrust::reduce(thrust::seq, row, row + 8);
}

//--- thrust_sort_in_thread
// thrust::sort within one thread.
// launch: --kernel sorts --grid 1 --block 4 --arg inout:i32:32:iota
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
__global__ void sorts(int* data) {
  int* row = data + 8 * threadIdx.x;
  for (int i = 0; i < 8; ++i) row[i] = row[i] * 5 % 8;
  thrust::sort(thrust::seq, row, row + 8);
}
