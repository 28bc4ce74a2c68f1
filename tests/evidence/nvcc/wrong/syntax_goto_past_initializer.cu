// SPDX-License-Identifier: Apache-2.0
// A goto past the initialization of a variable.
__global__ void kernel(int* out) {
  if (threadIdx.x > 3) goto end;
  int twice = 2 * threadIdx.x;
  out[threadIdx.x] = twice;
end:
  return;
}
