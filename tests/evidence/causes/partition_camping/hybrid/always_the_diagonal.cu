// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=11
// says: The diagonal is used for every size, also for those at which it camps; choose the order by the size.

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double t[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const auto split = [](unsigned v, unsigned g, unsigned r) { unsigned q = g == 1 ? v : __umulhi(v, r); if (g > 1 && q * g > v) --q; return make_uint2(q, v - q * g); };
  const uint2 d = split(id, gridDim.y, reciprocal_grid_y);
  const unsigned y = d.y, x = split(d.x + d.y, gridDim.x, reciprocal_grid_x).y;
  for (unsigned k = threadIdx.y; k < 32; k += 8) {
    const int r = y * 32 + k, c = x * 32 + threadIdx.x;
    if (r < height && c < width) t[k][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  for (unsigned k = threadIdx.y; k < 32; k += 8) {
    const int r = x * 32 + k, c = y * 32 + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = t[threadIdx.x][k];
  }
}
