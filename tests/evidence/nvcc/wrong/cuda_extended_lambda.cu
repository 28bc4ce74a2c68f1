// SPDX-License-Identifier: Apache-2.0
// An extended lambda without --extended-lambda.
template <typename F>
__global__ void map(int* out, F f) {
  out[threadIdx.x] = f(threadIdx.x);
}
void run(int* out) {
  map<<<1, 32>>>(out, [] __device__(int x) { return x + 1; });
}
