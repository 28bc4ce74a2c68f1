// SPDX-License-Identifier: Apache-2.0
// Going further in coalescing: a copy that is as fast as the driver's own.
//
// Launch: copy_limit<<<n / 512, 128>>>(out, in, n), n a multiple of 512: a thread copies 16 bytes.
//
// Idea: a coalesced request of 4 bytes per lane moves only 128 bytes; with 16 bytes per lane, 512.
// Fewer instructions and requests carry the same traffic, and each thread issues one load.
//
// Why no loop: the hardware starts blocks in the order of their numbers as others finish. So at any
// time all multiprocessors work on one narrow strip of memory, which suits DRAM and its open pages.
// Threads that loop over the array drift apart. With several pieces per thread, or with fewer
// blocks, the copy is slower (tests/evidence/golden/h200_outputs).
//
// Measured on two H200 cards with 2^28 floats (driver 580.159.04, 21 November 2026;
// tests/evidence/cuda/further.cu): 4,248 and 4,267 GB/s, 1.008 and 1.007 of cudaMemcpy. The
// exercise's copy reaches 0.98.
__global__ void __launch_bounds__(128) copy_limit(float* out, const float* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}
