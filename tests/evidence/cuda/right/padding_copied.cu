// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg in:f64:64:iota --arg out:i32:260
// The 4 bytes of padding after each index are copied, but never initialized.
struct Found {
  double distance;
  int index;
};
extern "C" __global__ void k(const double* in, Found* out) {
  __shared__ Found s[64];
  const int t = threadIdx.x;
  s[t].distance = in[t];
  s[t].index = t;
  __syncthreads();
  out[1 + t] = s[63 - t];
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (t < d && s[t + d].distance < s[t].distance) s[t] = s[t + d];
  }
  if (t == 0) *out = s[0];
}
