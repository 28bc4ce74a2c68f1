// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=9
// says: fill instantiates Swizzle<T> with T = float*, so at returns a pointer, to which no float
//   can be assigned: Swizzle<float>.
template <typename T>
struct Swizzle {
  T* base;
  __device__ T& at(int row, int column) { return base[row * 32 + (column ^ row)]; }
  __device__ void set(int row, int column, float value) { at(row, column) = value; }
};

template <typename T>
__device__ void fill(T tile, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (column < width && row + j < height) Swizzle<T>{&tile}.set(threadIdx.y + j, threadIdx.x, in[(row + j) * width + column]);
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 32];
  fill(tile, in, width, height);
  __syncthreads();
  const int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = Swizzle<float>{tile}.at(threadIdx.x, threadIdx.y + j);
}
