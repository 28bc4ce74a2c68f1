// SPDX-License-Identifier: Apache-2.0
// The first thread computes the tile with 64-bit products; the others read it from shared memory.
struct TilePlace {
  unsigned x, y;
};

__device__ unsigned times(unsigned long long n, unsigned reciprocal) {
  return reciprocal == 0 ? static_cast<unsigned>(n) : static_cast<unsigned>((n * reciprocal) >> 32);
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  __shared__ TilePlace place;
  if (threadIdx.x + threadIdx.y == 0) {
    const unsigned id = blockIdx.y * gridDim.x + blockIdx.x, diagonal = times(id, ry);
    place.y = id - diagonal * gridDim.y;
    const unsigned sum = diagonal + place.y;
    place.x = sum - times(sum, rx) * gridDim.x;
  }
  __syncthreads();
  const TilePlace p = place;
  const int x = p.x * 32 + threadIdx.x, y = p.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = p.y * 32 + threadIdx.x, ty = p.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
