// SPDX-License-Identifier: Apache-2.0
// Host variables at namespace scope, in all forms.
// left out: verbose, h_input, start_time, seeds, stop_time, counter, main
#include <ctime>
#define N 256
int verbose = 0;
float *h_input, *h_output, **rows;
static clock_t start_time, stop_time2;
unsigned seeds[4] = {1, 2, 3, 4};
extern double stop_time;
inline int counter{7};
const int block_size = N;
const float pi = 3.14159f;
__global__ void angle(float* x) { x[threadIdx.x] = pi * threadIdx.x / block_size; }
int main(void) {
  start_time = clock();
  angle<<<1, block_size>>>(h_input);
  return verbose;
}
