// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 8,8 --arg out:f64:48 --arg in:f64:48:iota --arg i32:8 --arg i32:6
// | bounds_rows_and_columns.cu:10:5: out_of_bounds: reads in[48], but in has elements 0 to 47; check the index against the size before the access
// |    10 |     out[row * width + column] = 2 * in[row * width + column];
// |       |     ^
// |       block (0, 0, 0), thread (0, 6, 0)
extern "C" __global__ void k(double* out, const double* in, int width, int height) {
  const int column = threadIdx.x, row = threadIdx.y;
  if (column < width && row < width)  // should be row < height
    out[row * width + column] = 2 * in[row * width + column];
}
