// SPDX-License-Identifier: Apache-2.0
// Every integer atomic on 32 and 64 bits whose final state does not depend on the order.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  atomicAdd(&out[0], v);
  atomicSub(&out[1], v);
  atomicMax(&out[2], v);
  atomicMin(&out[3], ~v >> 1);
  atomicMax(reinterpret_cast<int*>(&out[4]), static_cast<int>(v));
  atomicMin(reinterpret_cast<int*>(&out[5]), static_cast<int>(v));
  atomicAnd(&out[6], v | 0xff00ff);
  atomicOr(&out[7], v & 0xf0f0f);
  atomicXor(&out[8], v);
  atomicInc(&out[9], 99);
  atomicDec(&out[10], 77);
  auto* wide = reinterpret_cast<unsigned long long*>(out + 16);
  const unsigned long long w = (static_cast<unsigned long long>(v) << 20) + i;
  atomicAdd(&wide[0], w);
  atomicMax(&wide[1], w);
  atomicMin(&wide[2], w);
  atomicAnd(&wide[3], w);
  atomicOr(&wide[4], w);
  atomicXor(&wide[5], w);
  atomicMax(reinterpret_cast<long long*>(&wide[6]), -static_cast<long long>(w));
  atomicExch(&out[40 + i % 64], 5U);
  out[128 + i % 512] = atomicCAS(&out[700], 12345U, 1U);
}
