// SPDX-License-Identifier: Apache-2.0
// Keeps four counters per value. Threads load four bytes at a time; bytes past the end add 0.
#define COPIES 4

__global__ void histogram(unsigned *bins, const unsigned char *in, unsigned n)
{
    __shared__ unsigned hist[256][COPIES];
    for (int c = 0; c < COPIES; c++) hist[threadIdx.x][c] = 0;
    __syncthreads();

    unsigned tid = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned words = (n + 3) / 4;
    for (unsigned w = tid; w < words; w += blockDim.x * gridDim.x) {
        uchar4 v = make_uchar4(0, 0, 0, 0);
        unsigned left = n - 4 * w;
        if (left >= 4) {
            v = ((const uchar4 *)in)[w];
        } else {
            v.x = in[4 * w];
            if (left > 1) v.y = in[4 * w + 1];
            if (left > 2) v.z = in[4 * w + 2];
        }
        unsigned c = threadIdx.x % COPIES;
        atomicAdd(&hist[v.x][c], 1);
        atomicAdd(&hist[v.y][c], left > 1);
        atomicAdd(&hist[v.z][c], left > 2);
        atomicAdd(&hist[v.w][c], left > 3);
    }
    __syncthreads();

    unsigned sum = 0;
    for (int c = 0; c < COPIES; c++) sum += hist[threadIdx.x][c];
    atomicAdd(&bins[threadIdx.x], sum);
}
