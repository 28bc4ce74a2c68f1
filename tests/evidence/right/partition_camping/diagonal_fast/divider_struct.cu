// SPDX-License-Identifier: Apache-2.0
// A divider class with operator(), constructed once per dimension of the grid.
class Divider {
 public:
  __device__ Divider(unsigned divisor, unsigned reciprocal) : d_(divisor), r_(reciprocal) {}
  __device__ unsigned operator()(unsigned n) const {
    if (r_ == 0) return n;
    const unsigned q = __umulhi(n, r_);
    return q * d_ > n ? q - 1 : q;
  }
  __device__ unsigned rest(unsigned n) const { return n - (*this)(n)*d_; }

 private:
  unsigned d_, r_;
};

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[32][33];
  const Divider by_x(gridDim.x, reciprocal_grid_x), by_y(gridDim.y, reciprocal_grid_y);
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned ty = by_y.rest(id), tx = by_x.rest(by_y(id) + ty);
  const int x = tx * 32 + threadIdx.x, y = ty * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int u = ty * 32 + threadIdx.x, v = tx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (u < height && v + j < width) out[(v + j) * height + u] = tile[threadIdx.x][threadIdx.y + j];
}
