// SPDX-License-Identifier: Apache-2.0
// Forces between 256 bodies, tiles in shared memory, exact division and square root.
// launch: grid 4 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float4 tile[64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const auto body = [&](unsigned at) {
    return make_float4(static_cast<float>(in[at] & 0xff), static_cast<float>(in[at] >> 8 & 0xff),
                       static_cast<float>(in[at] >> 16 & 0xff), static_cast<float>(in[at] >> 24));
  };
  const float4 me = body(i);
  float3 force = make_float3(0, 0, 0);
  for (unsigned t = 0; t < 4; ++t) {
    tile[threadIdx.x] = body(t * 64 + threadIdx.x);
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const float dx = tile[k].x - me.x;
      const float dy = tile[k].y - me.y;
      const float dz = tile[k].z - me.z;
      const float square = dx * dx + dy * dy + dz * dz + 0.01F;
      const float s = tile[k].w / (square * sqrtf(square));
      force.x += dx * s;
      force.y += dy * s;
      force.z += dz * s;
    }
    __syncthreads();
  }
  out[i] = __float_as_uint(force.x) ^ __float_as_uint(force.y) * 3 ^ __float_as_uint(force.z) * 5;
}
