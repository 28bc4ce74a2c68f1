// SPDX-License-Identifier: Apache-2.0
// A dense switch: a jump table, with divergence in its cases.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i];
  for (int k = 0; k < 10; ++k) {
    switch (x % 9) {
      case 0:
        x = x * 3 + 1;
        break;
      case 1:
        x ^= x >> 5;
        break;
      case 2:
        x += 0x9e3779b9;
        break;
      case 3:
        x = __brev(x);
        break;
      case 4:
        x = ~x;
        break;
      case 5:
        x -= in[x & 1023];
        break;
      case 6:
        x = x << 7 | x >> 25;
        break;
      case 7:
        if (x & 1) {
          x = 7 * x;
          break;
        }
        x /= 3;
      default:
        x += 11;
    }
  }
  out[i] = x;
}
