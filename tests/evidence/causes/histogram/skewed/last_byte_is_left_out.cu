// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=41
// says: The guard of the bytes behind the last group of 16 is i + 1 < n instead of i < n, so the
//   last byte is not counted.
template <unsigned kCopies>
struct Bins {
  unsigned slot[256 * kCopies];

  __device__ void clear() {
    for (unsigned s = threadIdx.x; s < 256 * kCopies; s += blockDim.x) slot[s] = 0;
  }
  __device__ void add(unsigned byte) {
    atomicAdd(&slot[byte * kCopies + threadIdx.x % kCopies], 1u);
  }
  __device__ unsigned total(unsigned byte) const {
    unsigned sum = 0;
    for (unsigned c = 0; c < kCopies; ++c)
      sum += slot[byte * kCopies + (c + threadIdx.x) % kCopies];
    return sum;
  }
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ Bins<4> mine;
  mine.clear();
  __syncthreads();

  const unsigned start = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  const unsigned groups = n >> 4;
  for (unsigned g = start; g < groups; g += stride) {
    uint4 v = reinterpret_cast<const uint4*>(in)[g];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      mine.add(v.x & 0xff), v.x >>= 8;
      mine.add(v.y & 0xff), v.y >>= 8;
      mine.add(v.z & 0xff), v.z >>= 8;
      mine.add(v.w & 0xff), v.w >>= 8;
    }
  }
  for (unsigned i = (groups << 4) + start; i + 1 < n; i += stride) mine.add(in[i]);
  __syncthreads();

  const unsigned sum = mine.total(threadIdx.x);
  if (sum) atomicAdd(&bins[threadIdx.x], sum);
}
