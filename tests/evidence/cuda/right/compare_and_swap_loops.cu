// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 96 --arg out:f64:2 --arg in:f64:384:iota
__device__ double add(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;  // as in the CUDA C++ Programming Guide
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ void keep_greater(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits;
  while (__longlong_as_double(old) < value) {  // skipped if *address is not smaller
    const unsigned long long assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value));
    if (old == assumed) break;
  }
}
extern "C" __global__ void k(double* out, const double* in) {
  __shared__ double sum, greatest;
  __shared__ int seen;
  if (threadIdx.x == 0) sum = 0, greatest = -1, seen = 0;
  __syncthreads();
  const double value = in[blockIdx.x * blockDim.x + threadIdx.x];
  add(&sum, value);
  keep_greater(&greatest, value);
  if (seen == 0 && atomicCAS(&seen, 0, 1) == 0) add(&out[0], 1);  // one thread per block
  __syncthreads();
  if (threadIdx.x == 0) add(&out[0], sum), keep_greater(&out[1], greatest);
}
