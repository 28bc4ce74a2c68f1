// SPDX-License-Identifier: Apache-2.0
// A template kernel that a host function instantiates in a switch.
// left out: launch_reduce
// instances: reduce<64> reduce<128> reduce<256>
template <unsigned Size>
__global__ void reduce(float* out, const float* in, unsigned n) {
  __shared__ float s[Size];
  unsigned i = blockIdx.x * Size + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned h = Size / 2; h > 0; h /= 2) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

void launch_reduce(float* out, const float* in, unsigned n, unsigned threads) {
  unsigned blocks = (n + threads - 1) / threads;
  switch (threads) {
    case 64: reduce<64><<<blocks, 64>>>(out, in, n); break;
    case 128: reduce<128><<<blocks, 128>>>(out, in, n); break;
    default: reduce<256><<<blocks, 256>>>(out, in, n); break;
  }
}
