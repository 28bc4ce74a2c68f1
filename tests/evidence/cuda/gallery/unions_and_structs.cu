// SPDX-License-Identifier: Apache-2.0
// A union, a struct of mixed sizes in local memory, a pointer chosen at run time.
// launch: grid 4 block 256

union Word {
  unsigned u;
  float f;
  unsigned char b[4];
};
struct Record {
  double weight;
  short count;
  char tag;
  float values[3];
};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Word w;
  w.u = in[i];
  unsigned r = w.b[in[i] & 3];
  Record records[4];
  for (int k = 0; k < 4; ++k) {
    records[k].weight = static_cast<double>(in[i + k]) * 0.25;
    records[k].count = static_cast<short>(in[i + k] >> 7);
    records[k].tag = static_cast<char>(k);
    for (int j = 0; j < 3; ++j) records[k].values[j] = static_cast<float>(in[i + j] & 0xff);
  }
  const Record& chosen = records[in[i] >> 30];
  r += static_cast<unsigned>(chosen.weight) + static_cast<unsigned>(chosen.count) +
       static_cast<unsigned>(chosen.tag) + static_cast<unsigned>(chosen.values[in[i] % 3]);
  out[i] = r;
}
