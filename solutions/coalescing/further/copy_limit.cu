// SPDX-License-Identifier: Apache-2.0
// Going further in coalescing: a copy that is as fast as the driver's own.
//
// Launch: copy_limit<<<n / 512, 128>>>(out, in, n), n a multiple of 512: a thread takes 16 bytes.
//
// Idea: coalesced requests of 4 bytes a lane move no byte too many, but a quarter of the bytes a
// request. With 16 bytes a lane, one request fetches 512 bytes; fewer instructions and requests
// carry the same traffic.
//
// Why without a loop: the hardware hands out blocks in the order of their numbers, as others end.
// So at any time all multiprocessors work on one narrow strip of memory, which suits DRAM and its
// open pages. Threads that loop through the array drift apart: with more than one piece a thread,
// or fewer blocks, it gets slower (tests/evidence/golden/h200_outputs/copy_sweep.csv).
//
// Measured on two H200 (driver 580.159.04, 21 November 2026; tests/evidence/cuda/further.cu), 2^28 floats:
// 4248 and 4267 GB/s, 1.008 and 1.007 of cudaMemcpy; the exercise's copy reaches 0.98.
__global__ void __launch_bounds__(128) copy_limit(float* out, const float* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}
