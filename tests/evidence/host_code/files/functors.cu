// SPDX-License-Identifier: Apache-2.0
// Thrust's and user-defined functors in a kernel template.
// left out: main
// instances: reduce_with<Larger> reduce_with<thrust::plus<float>>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>
struct Larger {
  __host__ __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
template <typename Op>
__global__ void reduce_with(float* x) {
  Op op;
  for (int h = 16; h > 0; h /= 2)
    x[threadIdx.x] = op(x[threadIdx.x], __shfl_down_sync(~0u, x[threadIdx.x], h));
}
int main() {
  thrust::device_vector<float> v(32);
  reduce_with<Larger><<<1, 32>>>(v.data().get());
  reduce_with<thrust::plus<float>><<<1, 32>>>(v.data().get());
  return (int)thrust::reduce(v.begin(), v.end(), 0.f, Larger());
}
