// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory of a kernel template through one untyped array.
// launch: --kernel 'reverse<double>' --grid 1 --block 32 --shared 256 --arg out:f64:32
template <typename T>
__device__ T* shared_memory() {
  extern __shared__ double pool[];
  return reinterpret_cast<T*>(pool);
}
template <typename T>
__global__ void reverse(T* out) {
  T* tile = shared_memory<T>();
  tile[threadIdx.x] = T(threadIdx.x) / 3;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
template __global__ void reverse<double>(double*);
