// SPDX-License-Identifier: Apache-2.0
// Mistakes of syntax. corpus.py describes the parts.

//--- syntax_assignment_arrow
// The operator =< instead of <=.
__global__ void kernel(int* out, int n) {
  if (threadIdx.x =< n) out[threadIdx.x] = 1;
}

//--- syntax_break_outside
// A break outside a loop.
__global__ void kernel(int* out) {
  if (threadIdx.x > 3) break;
  out[threadIdx.x] = 1;
}

//--- syntax_case_without_colon
// A case label without a colon.
__global__ void kernel(int* out) {
  switch (threadIdx.x % 2) {
    case 0 out[threadIdx.x] = 5; break;
    default: out[threadIdx.x] = 6;
  }
}

//--- syntax_comma_for_semicolon
// Commas instead of semicolons in a for loop.
__global__ void sums(int* out) {
  int sum = 0;
  for (int i = 0, i < 8, ++i) sum += i;
  out[threadIdx.x] = sum;
}

//--- syntax_curly_quotes
// Typographic quotes from a word processor.
#include <cstdio>
__global__ void kernel(int* out) {
  printf(“done”);
  out[threadIdx.x] = 1;
}

//--- syntax_duplicate_case
// Duplicate case labels.
__global__ void kernel(int* out) {
  switch (threadIdx.x) {
    case 1: out[0] = 1; break;
    case 1: out[1] = 2; break;
  }
}

//--- syntax_else_without_if
// An else without an if: a second statement ended it.
__global__ void kernel(int* out) {
  if (threadIdx.x < 4) out[threadIdx.x] = 1; out[0] = 2;
  else out[threadIdx.x] = 3;
}

//--- syntax_endif_without_if
// An #endif without an #if.
__global__ void root(float* out) {
  out[threadIdx.x] = sqrtf(threadIdx.x);
#endif
}

//--- syntax_extra_brace
// One closing brace too many.
__global__ void copy(int* out, const int* in) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = in[threadIdx.x];
  }
}
}

//--- syntax_fullwidth_semicolon
// A full-width semicolon from a web page.
__global__ void kernel(int* out) {
  out[threadIdx.x] = 1；
}

//--- syntax_goto_past_initializer
// A goto past the initialization of a variable.
__global__ void kernel(int* out) {
  if (threadIdx.x > 3) goto end;
  int twice = 2 * threadIdx.x;
  out[threadIdx.x] = twice;
end:
  return;
}

//--- syntax_keyword_as_name
// A keyword as a variable name.
__global__ void kernel(int* out) {
  int new = threadIdx.x;
  out[threadIdx.x] = new;
}

//--- syntax_missing_brace
// The closing brace of a loop is missing.
__global__ void sums(int* out, const int* in) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    sum += in[i];
  out[threadIdx.x] = sum;
}

//--- syntax_missing_bracket
// A bracket is missing in an index.
__global__ void copy(int* out, const int* in) { out[threadIdx.x = in[threadIdx.x]; }

//--- syntax_missing_endif
// An #if without an #endif.
#define USE_FAST 1
__global__ void root(float* out) {
#if USE_FAST
  out[threadIdx.x] = __fsqrt_rn(threadIdx.x);
}

//--- syntax_missing_header
// A header that does not exist.
#include <cooperative_group.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = cg::this_thread_block();
  out[threadIdx.x] = block.size();
}

//--- syntax_missing_parenthesis
// A parenthesis is missing in an index.
__global__ void copy(int* out, const int* in, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

//--- syntax_missing_parenthesis_if
// The condition's closing parenthesis is missing.
__global__ void copy(int* out, const int* in, int n) {
  int i = threadIdx.x;
  if (i < n out[i] = in[i];
}

//--- syntax_missing_quote
// A string without its closing quote.
__global__ void hello(int* out) {
  printf("thread %d\n, threadIdx.x);
  out[threadIdx.x] = 1;
}

//--- syntax_missing_return_type
// A device function without a return type.
__device__ square(float x) { return x * x; }
__global__ void kernel(float* out) { out[threadIdx.x] = square(threadIdx.x); }

//--- syntax_missing_semicolon
// A semicolon is missing after an assignment.
__global__ void scale(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i]
}

//--- syntax_missing_semicolon_declaration
// A semicolon is missing after a declaration.
__global__ void sums(int* out) {
  int sum = 0
  for (int i = 0; i < 4; ++i) sum += i;
  out[threadIdx.x] = sum;
}

//--- syntax_missing_semicolon_struct
// A semicolon is missing after a struct.
struct Point {
  float x, y;
}
__global__ void points(Point* out) {
  out[threadIdx.x] = {1, 2};
}

//--- syntax_operator_as_name
// A name that starts with a digit.
__global__ void kernel(int* out) {
  int 2nd = threadIdx.x;
  out[threadIdx.x] = 2nd;
}

//--- syntax_parameter_without_type
// A parameter without a type.
__global__ void kernel(float* out, n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1;
}

//--- syntax_parenthesis_for_bracket
// Parentheses instead of brackets.
__global__ void copy(int* out, const int* in) { out[threadIdx.x] = in(threadIdx.x); }

//--- syntax_template_keyword
// A template parameter list without its closing bracket.
template <typename T
__device__ T twice(T x) { return x + x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(1); }

//--- syntax_unclosed_comment
// An unterminated comment.
__global__ void copy(int* out, const int* in) {
  /* one element per thread
  out[threadIdx.x] = in[threadIdx.x];
}

//--- syntax_unknown_directive
// An unknown directive.
#includ <cstdio>
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
