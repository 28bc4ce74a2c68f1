// SPDX-License-Identifier: Apache-2.0
// Streams, events and graphs in host functions.
// left out: kStreams, streams, build, overlap
#include <array>
__global__ void work(float* x, int n, int offset) {
  int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = __sinf(x[i]);
}
static int kStreams = 4;
cudaStream_t streams[4];
struct Graph {
  cudaGraph_t graph{};
  cudaGraphExec_t exec{};
};
Graph build(float* x, int n) {
  Graph out;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  work<<<n / 256, 256, 0, streams[0]>>>(x, n, 0);
  cudaStreamEndCapture(streams[0], &out.graph);
  return out;
}
void overlap(float* x, int n) {
  for (int s = 0; s < kStreams; s++) {
    cudaStreamCreate(&streams[s]);
    work<<<n / kStreams / 256, 256, 0, streams[s]>>>(x, n, s * n / kStreams);
  }
}
