// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=37
// says: A run of equal bytes is added when another byte follows, so the last run of each thread is never added;
//   flush it after the loop.
// reports: wrong_operation line=26
class Runs {
 public:
  __device__ explicit Runs(unsigned* bins) : bins_(bins) {}
  __device__ void see(unsigned value) {
    if (value == value_) {
      ++length_;
      return;
    }
    if (length_ > 0) atomicAdd(&bins_[value_], length_);
    value_ = value;
    length_ = 1;
  }

 private:
  unsigned* bins_;
  unsigned value_ = 256, length_ = 0;
};

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  Runs runs(counts);
  for (unsigned g = thread; g < n / 16; g += gridDim.x * 256) {
    const uint4 q = reinterpret_cast<const uint4*>(in)[g];
    const unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) runs.see(words[k / 4] >> k % 4 * 8 & 255u);
  }
  if (n / 16 * 16 + thread < n) runs.see(in[n / 16 * 16 + thread]);
  __syncthreads();
  if (counts[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
