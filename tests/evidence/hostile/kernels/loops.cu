// SPDX-License-Identifier: Apache-2.0
// Work that runs before a right kernel, so that every case is executed: some rounds, many, or
// endless ones. A part begins with //// and its name; //-- separates the text outside the kernel.
// LOOP is the head of the loop, T the element type, OUT the output parameter, SIZE the number of
// input elements, INDEX the thread's number in the grid.
//// arithmetic
unsigned x = INDEX;
LOOP x = x * 1664525u + 1013904223u;
if (x == 0x12345678u && SIZE < 0) OUT[0] = x;
//// divisions_of_64_bits
unsigned long long x = INDEX + 12345678901ull;
LOOP x = x / (k % 7 + 3) + x % (k % 5 + 2) * 9876543211ull;
if (x == 1) OUT[0] = 1;
//// double_sines
double x = INDEX;
LOOP x = sin(x) * cos(x + k) + exp(-x * x);
if (x == 77) OUT[0] = x;
//// loads
T sum = 0;
LOOP sum += in[(INDEX + k * 32) % SIZE];
if (sum == T(-0.7)) OUT[0] = sum;
//// scattered_loads
T sum = 0;
LOOP sum += in[(INDEX * 4099ull + k * 97) % SIZE];
if (sum == T(-0.7)) OUT[0] = sum;
//// volatile_loads_of_one_word
volatile const T* const one = in;
T sum = 0;
LOOP sum += *one;
if (sum == T(-0.7)) OUT[0] = sum;
//// loads_of_bytes
const char* const bytes = reinterpret_cast<const char*>(in);
int sum = 0;
LOOP sum += bytes[(INDEX * 33ull + k * 129) % SIZE];
if (sum == -123456789) OUT[0] = sum;
//// loads_of_16_bytes
const float4* const quads = reinterpret_cast<const float4*>(in);
const int there = int(SIZE * sizeof(T) / sizeof(float4));
float sum = 0;
LOOP if (there > 0) sum += quads[(INDEX * 7ull + k * 31) % there].w;
if (sum == -0.7f) OUT[0] = sum;
//// shared_memory_of_one_bank
__shared__ volatile int words[32 * 32];
words[threadIdx.x % 32 * 32] = threadIdx.x % 32;
__syncthreads();
int sum = 0;
LOOP sum += words[threadIdx.x % 32 * 32];
if (sum == -123456789) OUT[0] = sum;
//// shared_stores
__shared__ volatile unsigned words[1024];
LOOP words[(threadIdx.y * blockDim.x + threadIdx.x) % 1024] = k;
//// atomics_of_one_word
//--
__device__ unsigned counter;
//--
LOOP atomicAdd(&counter, 1u);
//// scattered_atomics
//--
__device__ unsigned counters[1 << 16];
//--
LOOP atomicXor(&counters[(INDEX * 4099u + k * 97u) % (1u << 16)], k);
//// shared_atomics
__shared__ unsigned words[64];
words[threadIdx.x % 64] = 0;
__syncthreads();
LOOP atomicMax(&words[(threadIdx.x * 3 + k) % 64], unsigned(k));
//// compare_and_swap
//--
__device__ unsigned long long word;
//--
unsigned long long old = 0;
LOOP old = atomicCAS(&word, old, old + 1);
//// local_memory
int stack[256];
for (int j = 0; j < 256; ++j) stack[j] = j ^ threadIdx.x;
LOOP stack[(stack[k % 256] + k) & 255] += int(k);
if (stack[threadIdx.x & 255] == -123456789) OUT[0] = 1;
//// structures_by_value
struct Large { int words[64]; };
Large a = {}, b = {};
LOOP { a.words[k % 64] += 1; b = a; a.words[(k * 7) % 64] = b.words[threadIdx.x % 64]; }
if (a.words[5] == -123456789) OUT[0] = 1;
//// printf_of_a_number
LOOP printf("%d\n", int(k));
//// printf_of_a_long_line
LOOP printf("%s %s %f\n", LONG_TEXT, LONG_TEXT, double(k));
//// malloc_without_free
unsigned long long sum = 0;
LOOP sum += reinterpret_cast<unsigned long long>(malloc(24));
if (sum == 3) OUT[0] = 1;
//// malloc_and_free
LOOP { volatile char* p = static_cast<char*>(malloc(40)); if (p) p[k % 40] = 1; free((void*)p); }
//// malloc_of_everything
LOOP { char* p = static_cast<char*>(malloc(1u << 20)); if (p) memset(p, int(k), 1u << 20); free(p); }
//// nanosleep
LOOP __nanosleep(1000000);
//// barriers
LOOP __syncthreads();
//// barriers_that_count
int sum = 0;
LOOP sum += __syncthreads_count(int(k) & 1);
if (sum == -123456789) OUT[0] = 1;
//// shuffles
int x = threadIdx.x;
LOOP x += __shfl_xor_sync(~0u, x, int(k) & 31);
if (x == -123456789) OUT[0] = 1;
//// votes_and_matches
unsigned x = threadIdx.x;
LOOP x += __match_any_sync(~0u, x & 7) ^ __ballot_sync(~0u, x & 1);
if (x == 0x87654321u && SIZE < 0) OUT[0] = 1;
//// warp_barriers_and_fences
LOOP { __syncwarp(); __threadfence(); __threadfence_block(); __threadfence_system(); }
//// each_lane_another_number_of_rounds
unsigned x = INDEX;
LOOP for (unsigned j = 0; j <= threadIdx.x; ++j) x = x * 69069u + j;
if (x == 0x12345678u && SIZE < 0) OUT[0] = x;
//// calls_by_pointer
//--
__device__ __noinline__ int plus(int x, int y) { return x + y; }
__device__ __noinline__ int times(int x, int y) { return x * y; }
//--
int (*const table[2])(int, int) = {plus, times};
int x = threadIdx.x;
LOOP x = table[(x ^ int(k)) & 1](x, 3);
if (x == -123456789) OUT[0] = 1;
//// recursion_of_100_calls
//--
__device__ __noinline__ int deep(int n) { volatile int keep = n; return n <= 0 ? 0 : deep(n - 1) + keep; }
//--
int x = 0;
LOOP x += deep(100);
if (x == -123456789) OUT[0] = 1;
//// memset_of_a_page
char page[4096];
LOOP memset(page, int(k), sizeof page);
if (page[threadIdx.x] == 123 && SIZE < 0) OUT[0] = 1;
//// asynchronous_copies
//--
#include <cuda_pipeline.h>
//--
__shared__ alignas(16) T room[256];
LOOP {
  __pipeline_memcpy_async(&room[threadIdx.x % 256], &in[threadIdx.x % SIZE], sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__syncthreads();
if (room[threadIdx.x % 256] == T(-0.7)) OUT[0] = 1;
//// clocks
long long sum = 0;
LOOP sum += clock64() + clock();
if (sum == 3) OUT[0] = 1;
//// lanes_leave_in_turn
unsigned x = threadIdx.x;
LOOP { if (k % 32 == threadIdx.x % 32) continue; if (k % 3 == x % 3) ++x; else x += 7; }
if (x == 0x12345678u && SIZE < 0) OUT[0] = x;
//// stores_of_all_registers
T sums[32] = {};
LOOP { _Pragma("unroll") for (int j = 0; j < 32; ++j) sums[j] += in[(INDEX + j * 37 + k) % SIZE]; }
T sum = 0;
for (int j = 0; j < 32; ++j) sum += sums[j];
if (sum == T(-0.7)) OUT[0] = sum;
//// surviving_heap_lists
struct Node { Node* next; };
Node* list = nullptr;
LOOP { Node* one = static_cast<Node*>(malloc(sizeof(Node))); if (!one) break; one->next = list; list = one; }
while (list) { Node* next = list->next; free(list); list = next; }
//// global_variable_by_turns
//--
__device__ volatile unsigned long long turns[4096];
//--
LOOP turns[INDEX % 4096] += 1;
//// half_precision
//--
#include <cuda_fp16.h>
//--
__half2 x = __float2half2_rn(1.0f);
LOOP x = __hfma2(x, x, __float2half2_rn(float(k & 3)));
if (__low2float(x) == -0.7f) OUT[0] = 1;
