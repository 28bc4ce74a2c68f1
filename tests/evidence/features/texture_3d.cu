// SPDX-License-Identifier: Apache-2.0
// A texture of three dimensions.
// launch: --kernel reads --grid 1 --block 32 --arg u64:0 --arg out:f32:32
__global__ void reads(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex3D<float>(texture, threadIdx.x, 0.5f, 0.5f);
}
