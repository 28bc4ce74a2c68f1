// SPDX-License-Identifier: Apache-2.0
// An extern array named like a function in CUDA's headers.
template <typename T>
__device__ T* shared_memory() {
  extern __shared__ double all[];
  return reinterpret_cast<T*>(all);
}
template <typename T>
__global__ void reverse(T* out) {
  T* tile = shared_memory<T>();
  tile[threadIdx.x] = T(threadIdx.x) / 3;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
template __global__ void reverse<double>(double*);
