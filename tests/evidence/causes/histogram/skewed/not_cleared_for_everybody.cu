// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=15
// says: The first threads count while others have not cleared their counters yet: a
//   __syncthreads is needed behind the loop that clears.
// never: use atomicAdd
constexpr unsigned kCopies = 8;

struct Bins {
  unsigned count[256][kCopies];
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ Bins own;
  unsigned* all = &own.count[0][0];
  for (unsigned k = threadIdx.x; k < 256 * kCopies; k += 256) all[k] = 0;
  const unsigned thread = blockIdx.x * 256 + threadIdx.x, copy = threadIdx.x % kCopies;
  for (unsigned g = thread; g < n / 16; g += gridDim.x * 256) {
    const uint4 w = ((const uint4*)in)[g];
    const unsigned words[4] = {w.x, w.y, w.z, w.w};
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&own.count[words[k / 4] >> k % 4 * 8 & 255][copy], 1u);
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&own.count[in[rest]][copy], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < kCopies; ++k) sum += own.count[threadIdx.x][k];
  if (sum) atomicAdd(&bins[threadIdx.x], sum);
}
