// SPDX-License-Identifier: Apache-2.0
// tries: Uses the input as scratch memory after enough uninitialised reads to fill the list of
//   findings. Those reads are harmless, so all of them are waived.
// stopped by: Reads that may be waived take no other finding's place in the list
//   (common/check/finding.cpp).
// verdict: fail diagnostic input_modified, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ volatile float idle_memory[32];
  float idle;
  idle = idle_memory[0];
  idle = idle_memory[1];
  idle = idle_memory[2];
  idle = idle_memory[3];
  idle = idle_memory[4];
  idle = idle_memory[5];
  idle = idle_memory[6];
  idle = idle_memory[7];
  idle = idle_memory[8];
  idle = idle_memory[9];
  idle = idle_memory[10];
  idle = idle_memory[11];
  idle = idle_memory[12];
  idle = idle_memory[13];
  idle = idle_memory[14];
  idle = idle_memory[15];
  idle = idle_memory[16];
  idle = idle_memory[17];
  idle = idle_memory[18];
  idle = idle_memory[19];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) {
      volatile float* scratch = const_cast<float*>(in) + row * width + column;
      const float value = *scratch;
      *scratch = 1;
      *scratch = value;
      out[row * width + column] = value;
    }
  }
}
