// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Adds a run of equal bytes only when another byte follows, so each thread's last run is lost.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  unsigned value = 0, length = 0;
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned next = words[k / 4] >> k % 4 * 8 & 0xff;
      if (next != value) {
        if (length != 0) atomicAdd(&counts[value], length);
        value = next;
        length = 0;
      }
      ++length;
    }
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&counts[in[rest]], 1u);
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
