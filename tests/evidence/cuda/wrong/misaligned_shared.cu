// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f64:32
// | misaligned_shared.cu:13:3: misaligned: reads 8 bytes at words[1], which is not a multiple of 8; a wide type such as float4 needs an address that is a multiple of its size
// |    13 |   out[threadIdx.x] = *reinterpret_cast<double*>(&words[2 * threadIdx.x + 1]);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(double* out) {
  extern __shared__ char bytes[];
  (void)bytes;
  __shared__ int words[65];
  for (int i = threadIdx.x; i < 65; i += 32) words[i] = i;
  __syncwarp();
  out[threadIdx.x] = *reinterpret_cast<double*>(&words[2 * threadIdx.x + 1]);
}
