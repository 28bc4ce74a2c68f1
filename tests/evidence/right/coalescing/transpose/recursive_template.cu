// SPDX-License-Identifier: Apache-2.0
// A recursive template unrolls the loops. The tile is a flat array.
template <int Row>
struct Rows {
  static __device__ void in_to_tile(float* tile, const float* in, int x, int y, int width,
                                    int height) {
    if (x < width && y + Row < height)
      tile[(threadIdx.y + Row) * 33 + threadIdx.x] = in[(y + Row) * width + x];
    Rows<Row + 8>::in_to_tile(tile, in, x, y, width, height);
  }
  static __device__ void tile_to_out(float* out, const float* tile, int x, int y, int width,
                                     int height) {
    if (x < width && y + Row < height)
      out[(y + Row) * width + x] = tile[threadIdx.x * 33 + threadIdx.y + Row];
    Rows<Row + 8>::tile_to_out(out, tile, x, y, width, height);
  }
};
template <>
struct Rows<32> {
  static __device__ void in_to_tile(float*, const float*, int, int, int, int) {}
  static __device__ void tile_to_out(float*, const float*, int, int, int, int) {}
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 33];
  Rows<0>::in_to_tile(tile, in, blockIdx.x * 32 + threadIdx.x, blockIdx.y * 32 + threadIdx.y, width,
                      height);
  __syncthreads();
  Rows<0>::tile_to_out(out, tile, blockIdx.y * 32 + threadIdx.x, blockIdx.x * 32 + threadIdx.y,
                       height, width);
}
