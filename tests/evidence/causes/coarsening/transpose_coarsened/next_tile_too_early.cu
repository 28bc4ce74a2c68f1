// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier
// says: The next pass fills the tile while slower warps still read it: a second __syncthreads is
//   needed at the end of the loop.
// never: atomicAdd
constexpr int kTile = 32;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float buffer[kTile * (kTile + 1)];
  float* const to = buffer + threadIdx.y * (kTile + 1) + threadIdx.x;
  const float* const from = buffer + threadIdx.x * (kTile + 1) + threadIdx.y;
  const int row = blockIdx.y * kTile + threadIdx.y, oc = blockIdx.y * kTile + threadIdx.x;
  for (int c = 0; c < Factor; ++c) {
    const int first = (blockIdx.x * Factor + c) * kTile;
    for (int j = 0; j < kTile; j += 8)
      if (first + threadIdx.x < width && row + j < height) to[j * (kTile + 1)] = in[(row + j) * width + first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kTile; j += 8)
      if (oc < height && first + threadIdx.y + j < width) out[(first + threadIdx.y + j) * height + oc] = from[j];
  }
}
