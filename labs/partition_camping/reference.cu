// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab, computed in the simplest way. Thread t makes element t of the
// output, which has `height` columns.

template <typename T>
__device__ void transpose_element(T* out, const T* in, int width, int height) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / height, column = t % height;
  if (row < width) out[t] = in[column * width + row];
}

__global__ void transpose_floats(float* out, const float* in, int width, int height) {
  transpose_element(out, in, width, height);
}

__global__ void transpose_doubles(double* out, const double* in, int width, int height) {
  transpose_element(out, in, width, height);
}

// The reciprocals are not used here.
__global__ void transpose_doubles_fast(double* out, const double* in, int width, int height,
                                       unsigned, unsigned) {
  transpose_element(out, in, width, height);
}
