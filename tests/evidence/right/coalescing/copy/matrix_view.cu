// SPDX-License-Identifier: Apache-2.0
// A struct for a matrix, with methods and a device constructor.
template <class T>
struct MatrixView {
  T* data;
  int rows, columns;
  __device__ MatrixView(T* d, int r, int c) : data(d), rows(r), columns(c) {}
  __device__ bool has(int r, int c) const { return r < rows && c < columns; }
  __device__ T& operator()(int r, int c) const { return data[r * columns + c]; }
};

__global__ void copy(float* out, const float* in, int width, int height) {
  const MatrixView<const float> source(in, height, width);
  const MatrixView<float> target(out, height, width);
  const int c = blockIdx.x * 32 + threadIdx.x;
  for (int r = blockIdx.y * 32 + threadIdx.y; r < int(blockIdx.y * 32 + 32); r += 8) {
    if (target.has(r, c)) target(r, c) = source(r, c);
  }
}
