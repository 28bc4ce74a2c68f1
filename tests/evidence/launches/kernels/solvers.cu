// SPDX-License-Identifier: Apache-2.0
// Steps of solvers of linear systems: matrix by vector for wide and tall matrices, triangular
// solves, LU, QR, Cholesky and Gauss-Jordan of small blocks, Jacobi, Gauss-Seidel with red and
// black cells, tridiagonal systems, steps of conjugate gradients. Matrices are row-major.
// Diagonals get a constant added, because random matrices may be singular.

// A thread per column: lanes read consecutive columns of each row.
__global__ void wide_transposed(float* y, const float* a, const float* x, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    sum += a[static_cast<size_t>(row) * columns + column] * x[row];
  }
  y[column] = sum;
}

// The same in bands of rows (blockIdx.y), whose sums are added by atomics.
__global__ void wide_transposed_bands(float* y, const float* a, const float* x, int rows,
                                      int columns, int band) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const int end = min((static_cast<int>(blockIdx.y) + 1) * band, rows);
  float sum = 0;
  for (int row = blockIdx.y * band; row < end; ++row) {
    sum += a[static_cast<size_t>(row) * columns + column] * x[row];
  }
  atomicAdd(&y[column], sum);
}

// A thread per row; x is in shared memory, piece by piece.
__global__ void tall_thread(float* y, const float* a, const float* x, int rows, int columns) {
  __shared__ float piece[128];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < columns; first += 128) {
    const int count = min(128, columns - first);
    __syncthreads();
    for (int k = threadIdx.x; k < count; k += blockDim.x) piece[k] = x[first + k];
    __syncthreads();
    if (row < rows) {
      for (int k = 0; k < count; ++k) {
        sum += a[static_cast<size_t>(row) * columns + first + k] * piece[k];
      }
    }
  }
  if (row < rows) y[row] = sum;
}

// Eight lanes per row, four values per load; columns is a multiple of 4.
__global__ void tall_eight_lanes(float* y, const float4* a, const float4* x, int rows,
                                 int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int fours = columns / 4;
  float sum = 0;
  if (row < rows) {
    for (int k = threadIdx.x % 8; k < fours; k += 8) {
      const float4 p = a[static_cast<size_t>(row) * fours + k];
      const float4 q = x[k];
      sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
  }
  for (int step = 4; step > 0; step /= 2) sum += __shfl_down_sync(~0U, sum, step);
  if (row < rows && threadIdx.x % 8 == 0) y[row] = sum;
}

__global__ void outer_update(float* out, const float* a, const float* x, const float* y, int rows,
                             int columns, float scale) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  out[row * columns + column] = a[row * columns + column] + scale * x[row] * y[column];
}

// Solves L x = b for many right sides; one block per system of Size rows, one thread per row.
// Columns are eliminated one after the other.
template <int Size>
__global__ void solve_lower(float* x, const float* l, const float* b) {
  __shared__ float solved;
  const int row = threadIdx.x;
  const float* mine = l + static_cast<size_t>(blockIdx.x) * Size * Size + row * Size;
  float value = b[blockIdx.x * Size + row];
  for (int k = 0; k < Size; ++k) {
    if (row == k) solved = value / (mine[k] + 2);
    __syncthreads();
    if (row == k) x[blockIdx.x * Size + row] = solved;
    if (row > k) value -= mine[k] * solved;
    __syncthreads();
  }
}

// One triangle of 64 rows in shared memory; each thread solves one column of right sides.
__global__ void solve_lower_many(float* x, const float* l, const float* b, int columns) {
  __shared__ float triangle[64][64];
  for (int k = threadIdx.x; k < 64 * 64; k += blockDim.x) triangle[k / 64][k % 64] = l[k];
  __syncthreads();
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  for (int row = 0; row < 64; ++row) {
    float value = b[row * columns + column];
    for (int k = 0; k < row; ++k) value -= triangle[row][k] * x[k * columns + column];
    x[row * columns + column] = value / (triangle[row][row] + 2);
  }
}

// One step of LU: subtracts the product of column `step` and row `step` from the rest.
__global__ void lu_update(float* out, const float* a, int n, int step) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x + step + 1;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + step + 1;
  if (row >= n || column >= n) return;
  const float factor = a[row * n + step] / (a[step * n + step] + 2);
  out[row * n + column] = a[row * n + column] - factor * a[step * n + column];
}

// LU without pivoting of a 32 x 32 block in shared memory, 32 x 32 threads.
__global__ void lu_block(float* out, const float* in) {
  __shared__ float v[32][33];
  const size_t at = static_cast<size_t>(blockIdx.x) * 1024 + threadIdx.y * 32 + threadIdx.x;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  v[y][x] = in[at] + (x == y ? 32.0F : 0.0F);
  for (int k = 0; k < 31; ++k) {
    __syncthreads();
    if (x == k && y > k) v[y][k] /= v[k][k];
    __syncthreads();
    if (x > k && y > k) v[y][x] -= v[y][k] * v[k][x];
  }
  __syncthreads();
  out[at] = v[y][x];
}

// Cholesky of Size x Size blocks, one block of Size threads per matrix: a thread has a row.
template <int Size>
__global__ void cholesky_block(float* out, const float* in) {
  __shared__ float v[Size][Size + 1];
  const size_t first = static_cast<size_t>(blockIdx.x) * Size * Size;
  const int row = threadIdx.x;
  for (int k = 0; k < Size; ++k) v[k][row] = in[first + k * Size + row] + (k == row ? Size : 0);
  __syncthreads();
  for (int k = 0; k < Size; ++k) {
    if (row == k) v[k][k] = sqrtf(v[k][k]);
    __syncthreads();
    if (row > k) v[row][k] /= v[k][k];
    __syncthreads();
    if (row > k) {
      for (int j = k + 1; j <= row; ++j) v[row][j] -= v[row][k] * v[j][k];
    }
    __syncthreads();
  }
  for (int k = 0; k < Size; ++k) out[first + k * Size + row] = k >= row ? v[k][row] : 0;
}

// Cholesky of 6 x 6 matrices in registers, one per thread, stored one element after the other
// for all matrices.
__global__ void cholesky_thread(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float v[6][6];
#pragma unroll
  for (int r = 0; r < 6; ++r) {
#pragma unroll
    for (int c = 0; c <= r; ++c) {
      v[r][c] = in[static_cast<size_t>(r * 6 + c) * count + i] + (r == c ? 6.0F : 0.0F);
    }
  }
#pragma unroll
  for (int c = 0; c < 6; ++c) {
#pragma unroll
    for (int k = 0; k < c; ++k) {
#pragma unroll
      for (int r = c; r < 6; ++r) v[r][c] -= v[r][k] * v[c][k];
    }
    const float root = rsqrtf(v[c][c]);
#pragma unroll
    for (int r = c; r < 6; ++r) v[r][c] *= root;
  }
#pragma unroll
  for (int r = 0; r < 6; ++r) {
#pragma unroll
    for (int c = 0; c <= r; ++c) out[static_cast<size_t>(r * 6 + c) * count + i] = v[r][c];
  }
}

// Inverts a Size x Size matrix per thread in a local array that is indexed at run time.
template <int Size>
__global__ void gauss_jordan_local(double* out, const double* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double v[Size * 2 * Size];
  for (int r = 0; r < Size; ++r) {
    for (int c = 0; c < Size; ++c) {
      v[r * 2 * Size + c] =
          in[static_cast<size_t>(i) * Size * Size + r * Size + c] + (r == c ? Size : 0);
      v[r * 2 * Size + Size + c] = r == c;
    }
  }
#pragma unroll 1
  for (int k = 0; k < Size; ++k) {
    const double scale = 1 / v[k * 2 * Size + k];
#pragma unroll 1
    for (int c = 0; c < 2 * Size; ++c) v[k * 2 * Size + c] *= scale;
#pragma unroll 1
    for (int r = 0; r < Size; ++r) {
      if (r == k) continue;
      const double factor = v[r * 2 * Size + k];
#pragma unroll 1
      for (int c = 0; c < 2 * Size; ++c) v[r * 2 * Size + c] -= factor * v[k * 2 * Size + c];
    }
  }
  for (int r = 0; r < Size; ++r) {
    for (int c = 0; c < Size; ++c) {
      out[static_cast<size_t>(i) * Size * Size + r * Size + c] = v[r * 2 * Size + Size + c];
    }
  }
}

// One warp orthonormalises the 8 columns of a 64 x 8 matrix by Gram-Schmidt; a lane has 2 rows.
__global__ void gram_schmidt(float* out, const float* in, int count) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const int lane = threadIdx.x % 32;
  const float* from = in + static_cast<size_t>(i) * 512;
  float* to = out + static_cast<size_t>(i) * 512;
  float q[8][2];
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    q[c][0] = from[lane * 8 + c];
    q[c][1] = from[(lane + 32) * 8 + c];
#pragma unroll
    for (int k = 0; k <= c; ++k) {
      float dot = q[k][0] * q[c][0] + q[k][1] * q[c][1];
      for (int step = 16; step > 0; step /= 2) dot += __shfl_xor_sync(~0U, dot, step);
      if (k < c) {
        q[c][0] -= dot * q[k][0];
        q[c][1] -= dot * q[k][1];
      } else {
        const float scale = rsqrtf(dot + 1e-12F);
        q[c][0] *= scale;
        q[c][1] *= scale;
      }
    }
  }
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    to[lane * 8 + c] = q[c][0];
    to[(lane + 32) * 8 + c] = q[c][1];
  }
}

// One Jacobi iteration of a dense system, one block of 128 threads per row.
__global__ void jacobi_dense(float* out, const float* a, const float* b, const float* x, int n) {
  __shared__ float sums[4];
  const int row = blockIdx.x;
  const float* mine = a + static_cast<size_t>(row) * n;
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 128) {
    if (k != row) sum += mine[k] * x[k];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0U, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[row] = (b[row] - sums[0] - sums[1] - sums[2] - sums[3]) / (mine[row] + n);
  }
}

// One Jacobi iteration of Poisson's equation, and the largest change of each block.
__global__ void jacobi_grid(float* out, float* changes, const float* in, const float* right,
                            int width, int height) {
  __shared__ float most[8];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  float change = 0;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    const float next = 0.25F * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - right[i]);
    change = fabsf(next - in[i]);
    out[i] = next;
  }
  for (int step = 16; step > 0; step /= 2) {
    change = fmaxf(change, __shfl_xor_sync(~0U, change, step));
  }
  if (threadIdx.x == 0) most[threadIdx.y] = change;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    for (int k = 1; k < 8; ++k) change = fmaxf(change, most[k]);
    changes[blockIdx.y * gridDim.x + blockIdx.x] = change;
  }
}

// Half a sweep of Gauss-Seidel: lanes with a cell of the other colour copy it.
__global__ void red_black_all(float* out, const float* in, int width, int height, int colour) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  if ((x + y) % 2 != colour) {
    out[i] = in[i];
  } else {
    out[i] = 0.25F * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

// A thread per cell of one colour: lanes access every other word, and only those are written.
__global__ void red_black_strided(float* out, const float* in, int width, int height, int colour) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] = 0.25F * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

// The colours in arrays of their own (half the width each), which makes accesses consecutive.
__global__ void red_black_packed(float* red, const float* old, const float* black, int half,
                                 int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= half - 1 || y >= height - 1) return;
  const int i = y * half + x;
  const int side = y % 2 == 0 ? i - 1 : i + 1;
  const float next = 0.25F * (black[i] + black[side] + black[i - half] + black[i + half]);
  red[i] = old[i] + 1.5F * (next - old[i]);
}

// Thomas' algorithm, one tridiagonal system per thread. Systems are interleaved; Rows is small,
// so that the factors stay in a local array.
template <int Rows>
__global__ void thomas(float* x, const float* lower, const float* upper, const float* right,
                       int systems) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= systems) return;
  float c[Rows];
  float d[Rows];
  c[0] = upper[i] * 0.25F;
  d[0] = right[i] * 0.25F;
#pragma unroll 1
  for (int k = 1; k < Rows; ++k) {
    const size_t at = static_cast<size_t>(k) * systems + i;
    const float scale = 1 / (4 - lower[at] * c[k - 1]);
    c[k] = upper[at] * scale;
    d[k] = (right[at] - lower[at] * d[k - 1]) * scale;
  }
  float value = 0;
#pragma unroll 1
  for (int k = Rows - 1; k >= 0; --k) {
    value = d[k] - c[k] * value;
    x[static_cast<size_t>(k) * systems + i] = value;
  }
}

// Parallel cyclic reduction, one system of 256 rows per block.
__global__ void cyclic_reduction(float* x, const float* lower, const float* upper,
                                 const float* right) {
  __shared__ float4 rows[256];
  const int i = threadIdx.x;
  const int at = blockIdx.x * 256 + i;
  float4 mine = make_float4(i > 0 ? lower[at] : 0, 4, i < 255 ? upper[at] : 0, right[at]);
  for (int step = 1; step < 256; step *= 2) {
    rows[i] = mine;
    __syncthreads();
    const float4 none = make_float4(0, 1, 0, 0);
    const float4 before = i >= step ? rows[i - step] : none;
    const float4 after = i + step < 256 ? rows[i + step] : none;
    const float p = -mine.x / before.y;
    const float q = -mine.z / after.y;
    mine = make_float4(p * before.x, mine.y + p * before.z + q * after.x, q * after.z,
                       mine.w + p * before.w + q * after.w);
    __syncthreads();
  }
  x[at] = mine.w / mine.y;
}

// x and r of conjugate gradients, and the sums of r * r, one per block of 256 threads.
__global__ void conjugate_step(float* x, float* r, float* sums, const float* old_x,
                               const float* old_r, const float* p, const float* q, int n,
                               float alpha) {
  __shared__ float warps[8];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    x[i] = old_x[i] + alpha * p[i];
    const float value = old_r[i] - alpha * q[i];
    r[i] = value;
    sum += value * value;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0U, sum, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 8; ++k) sum += warps[k];
    sums[blockIdx.x] = sum;
  }
}
