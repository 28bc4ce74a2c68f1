// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: few_loads_in_flight
// Loads the next index before it uses this one: two loads in flight, but an H200 needs 12.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  unsigned next = index[i];
#pragma unroll 1
  for (unsigned j = 1; j < 16; ++j) {
    const unsigned now = next;
    next = index[i + j * n];
    sum += in[now];
  }
  out[i] = sum + in[next];
}
