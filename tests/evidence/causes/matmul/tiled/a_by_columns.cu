// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride|swapped_indices|out_of_bounds line=16
// says: a is read with rows of m elements, but its rows have k.
template <int T>
struct Tile {
  float v[T][T];
};

__global__ void matmul(float* C, const float* A, const float* B, int M, int N, int K) {
  __shared__ Tile<16> ta, tb;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  float acc = 0.f;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    const int ka = t * 16 + tx, kb = t * 16 + ty;
    ta.v[ty][tx] = (r < M && ka < K) ? A[r * M + ka] : 0.f; 
    tb.v[ty][tx] = (kb < K && c < N) ? B[kb * N + c] : 0.f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) acc += ta.v[ty][i] * tb.v[i][tx];
    __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = acc;
}
