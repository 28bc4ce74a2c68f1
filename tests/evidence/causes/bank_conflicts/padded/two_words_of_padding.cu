// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=9
// says: Two words of padding keep the words of a column in every second bank, so two lanes share each of them;
//   one word is enough.

template <typename T, int Side, int Pad>
struct Square {
  __device__ T& at(int r, int c) { return cell[r][c]; }
  T cell[Side][Side + Pad];
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ Square<float, 32, 2> sq;
  const int tx = threadIdx.x;
  for (int ty = threadIdx.y; ty < 32; ty += 8) {
    const int r = 32 * blockIdx.y + ty, c = 32 * blockIdx.x + tx;
    if (r < height && c < width) sq.at(ty, tx) = in[r * width + c];
  }
  __syncthreads();
  for (int ty = threadIdx.y; ty < 32; ty += 8) {
    const int r = 32 * blockIdx.x + ty, c = 32 * blockIdx.y + tx;
    if (r < width && c < height) out[r * height + c] = sq.at(tx, ty);
  }
}
