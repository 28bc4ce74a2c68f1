// SPDX-License-Identifier: Apache-2.0
// alignas(16) on a struct of three floats allows vector accesses.
// launch: --kernel reversed --grid 1 --block 32 --arg out:f32:96
struct alignas(16) Vector {
  float x, y, z;
};
__global__ void reversed(float* out) {
  __shared__ Vector all[32];
  const int t = threadIdx.x;
  all[t] = {1.0f * t, 2.0f * t, 3.0f * t};
  __syncthreads();
  const Vector v = all[31 - t];
  out[3 * t] = v.x;
  out[3 * t + 1] = v.y;
  out[3 * t + 2] = v.z;
}
