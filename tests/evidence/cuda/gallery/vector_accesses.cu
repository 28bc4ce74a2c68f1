// SPDX-License-Identifier: Apache-2.0
// Loads and stores of 8 and 16 bytes, read-only loads, cache hints.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 256) return;
  const uint4 a = reinterpret_cast<const uint4*>(in)[i];
  const double2 b = __ldg(reinterpret_cast<const double2*>(in) + i);
  const uint2 c = __ldcg(reinterpret_cast<const uint2*>(in) + i);
  const unsigned d = __ldcs(in + i) + __ldlu(in + i + 1) + __ldcv(in + i + 2);
  uint4 r;
  r.x = a.x + c.y;
  r.y = a.y ^ static_cast<unsigned>(__double_as_longlong(b.x));
  r.z = a.z - d;
  r.w = a.w + static_cast<unsigned>(__double_as_longlong(b.y) >> 32);
  __stcs(reinterpret_cast<uint4*>(out) + i, r);
}
