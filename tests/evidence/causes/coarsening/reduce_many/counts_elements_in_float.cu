// SPDX-License-Identifier: Apache-2.0
// cause: float_index line=14
// says: The index runs in a float, which has 24 bits: past 16,777,216 it skips elements and meets others twice;
//   count in unsigned.

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const float step = gridDim.x * blockDim.x;
  const float limit = n;
  float total = 0.f;
  float position = blockIdx.x * blockDim.x + threadIdx.x;
  const auto next = [&] {
    const unsigned i = position;
    position += step;
    return i;
  };
  while (position + 3 * step < limit) {
    const unsigned i0 = next(), i1 = next(), i2 = next(), i3 = next();
    const float a = in[i0], b = in[i1], c = in[i2], d = in[i3];
    total += a + b + c + d;
  }
  while (position < limit) total += in[next()];

  sums[threadIdx.x] = total;
  for (unsigned active = blockDim.x / 2; active; active /= 2) {
    __syncthreads();
    if (threadIdx.x < active) sums[threadIdx.x] += sums[threadIdx.x + active];
  }
  if (!threadIdx.x) partial[blockIdx.x] = *sums;
}
