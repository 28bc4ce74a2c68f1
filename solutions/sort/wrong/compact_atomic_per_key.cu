// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: race line=10
// Each kept key takes a place by an atomic of its own, in the order of the lanes of whatever warp
// is first.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned i = blockIdx.x * 1024 + round * 256 + threadIdx.x;
    if (i < n && in[i] >= least) out[atomicAdd(count, 1)] = in[i];
  }
}
