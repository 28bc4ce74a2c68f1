// SPDX-License-Identifier: Apache-2.0
// __LINE__, __CUDACC__, __cplusplus and __func__ in device code.
// launch: --kernel where --grid 1 --block 32 --arg out:i32:32
__global__ void where(int* out) {
#if defined(__CUDACC__) && __cplusplus >= 201703L
  out[threadIdx.x] = __LINE__ + int(sizeof(__func__)) * threadIdx.x;
#else
  out[threadIdx.x] = -1;
#endif
}
