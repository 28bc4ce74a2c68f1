// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=7
// says: The byte offset is a product in 32 bits and is kept in an int, so it is negative from 2 GiB on; compute it
//   in 64 bits or index floats. Element (row, column) of a matrix whose rows have `pitch` floats.
template <typename Byte>
__device__ Byte* element(Byte* matrix, unsigned row, unsigned column, unsigned pitch) {
  const int offset = (row * pitch + column) * 4u;
  return matrix + offset;
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 33];
  const char* const source = reinterpret_cast<const char*>(in);
  char* const target = reinterpret_cast<char*>(out);

  const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (column < width && row + j < height)
      tile[(threadIdx.y + j) * 33 + threadIdx.x] =
          *reinterpret_cast<const float*>(element(source, row + j, column, width));
  }
  __syncthreads();
  const unsigned to_column = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (to_column < height && to_row + j < width)
      *reinterpret_cast<float*>(element(target, to_row + j, to_column, height)) =
          tile[threadIdx.x * 33 + threadIdx.y + j];
  }
}
