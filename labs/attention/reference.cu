// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab, in double precision.

// A block of 256 threads per row, in three passes.
__global__ void softmax_reference(float* out, const float* in, float scale, int rows, int width) {
  __shared__ double part[256];
  const float* row = in + (long long)blockIdx.x * width;
  const int t = threadIdx.x;
  double most = -1e300, sum = 0;
  for (int i = t; i < width; i += 256) most = fmax(most, double(scale) * row[i]);
  part[t] = most;
  __syncthreads();
  for (int i = 0; i < 256; ++i) most = fmax(most, part[i]);
  __syncthreads();
  for (int i = t; i < width; i += 256) sum += exp(double(scale) * row[i] - most);
  part[t] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 256; ++i) sum += part[i];
  for (int i = t; i < width; i += 256) {
    out[(long long)blockIdx.x * width + i] = float(exp(double(scale) * row[i] - most) / sum);
  }
}

// A block of 64 threads per query, with n doubles of dynamic shared memory for its weights.
__global__ void attention_reference(float* out, const float* q, const float* k, const float* v, int n,
                                    float scale) {
  extern __shared__ double weights[];
  const long long head = (long long)(blockIdx.x / n) * n * 64;
  const float* query = q + head + blockIdx.x % n * 64;
  for (int key = threadIdx.x; key < n; key += 64) {
    double sum = 0;
    for (int i = 0; i < 64; ++i) sum += double(query[i]) * k[head + key * 64 + i];
    weights[key] = scale * sum;
  }
  __syncthreads();
  double most = -1e300, sum = 0, result = 0;
  for (int key = 0; key < n; ++key) most = fmax(most, weights[key]);
  __syncthreads();
  for (int key = threadIdx.x; key < n; key += 64) weights[key] = exp(weights[key] - most);
  __syncthreads();
  for (int key = 0; key < n; ++key) {
    sum += weights[key];
    result += weights[key] * v[head + key * 64 + threadIdx.x];
  }
  out[head + blockIdx.x % n * 64 + threadIdx.x] = float(result / sum);
}
