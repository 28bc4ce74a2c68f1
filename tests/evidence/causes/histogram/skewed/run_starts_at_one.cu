// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=31
// says: The run of equal bytes starts with length 1 although the loop counts the first byte, too,
//   so each group of 16 bytes counts its first byte twice; it must start at 0.
// Equal bytes in a row cost one atomic.
struct Run {
  unsigned* counts;
  unsigned value, length;

  __device__ void flush() { atomicAdd(&counts[value], length); }
  __device__ void take(unsigned byte) {
    if (byte != value) {
      flush();
      value = byte;
      length = 0;
    }
    ++length;
  }
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();

  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4* const quads = reinterpret_cast<const uint4*>(in);
  for (unsigned q = id; q < n / 16; q += gridDim.x * blockDim.x) {
    const uint4 four = quads[q];
    const unsigned w[4] = {four.x, four.y, four.z, four.w};
    Run run{counts, w[0] & 0xff, 1};
#pragma unroll
    for (int k = 0; k < 16; ++k) run.take(w[k / 4] >> k % 4 * 8 & 0xff);
    run.flush();
  }
  const unsigned left = n / 16 * 16 + id;
  if (left < n) atomicAdd(&counts[in[left]], 1u);
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
