// SPDX-License-Identifier: Apache-2.0
// Bytes and shorts, signed and unsigned, in vectors and bit fields.
// launch: grid 4 block 256

struct Fields {
  unsigned low : 5;
  int middle : 9;
  unsigned high : 18;
};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto* bytes = reinterpret_cast<const signed char*>(in);
  const auto* shorts = reinterpret_cast<const unsigned short*>(in);
  const uchar4 four = reinterpret_cast<const uchar4*>(in)[i + 7];
  const short2 two = reinterpret_cast<const short2*>(in)[i + 9];
  signed char c = static_cast<signed char>(bytes[i] * 3);
  unsigned short s = static_cast<unsigned short>(shorts[i] >> 3);
  c = static_cast<signed char>(c >> 1);
  s = static_cast<unsigned short>(s * s + four.w);
  Fields f;
  f.low = in[i] & 31;
  f.middle = static_cast<int>(in[i] >> 5) & 511;
  f.high = in[i] >> 14;
  reinterpret_cast<unsigned char*>(out)[4 * i] = static_cast<unsigned char>(c);
  reinterpret_cast<unsigned char*>(out)[4 * i + 1] = four.x ^ four.z;
  reinterpret_cast<short*>(out)[2 * i + 1] =
      static_cast<short>(s + two.x / 3 + two.y % 7 + f.middle + static_cast<int>(f.low * f.high));
}
