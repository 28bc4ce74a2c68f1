// SPDX-License-Identifier: Apache-2.0
// cause: divergence|issue_bound line=15
// says: The switch makes each lane store in a branch of its own: 32 requests for what one
//   request does. Store with all lanes at once.
// never: bank conflict
// Each lane goes to its place on its own, so no two lanes can be in conflict.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8) {
    const float value = column < width && row + j < height ? in[(row + j) * width + column] : 0;
#pragma unroll 1
    for (int lane = 0; lane < 32; ++lane) {
      if (lane == tx) ((volatile float*)tile[ty + j])[tx] = value;
      __syncwarp();
    }
  }
  __syncthreads();
  const int oc = blockIdx.y * 32 + tx, orow = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8) {
    float value = 0;
#pragma unroll 1
    for (int lane = 0; lane < 32; ++lane) {
      if (lane == tx) value = ((volatile float*)tile[tx])[ty + j];
      __syncwarp();
    }
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = value;
  }
}
