// SPDX-License-Identifier: Apache-2.0
// GCC's built-in functions that compare literals.
// launch: --kernel compare --grid 1 --block 1 --arg out:i32:8
__global__ void compare(int* out) {
  out[0] = __builtin_memcmp("abc", "abf", 3);
  out[1] = __builtin_strcmp("az", "ab");
  out[2] = __builtin_strcmp("a", "ab");
  out[3] = __builtin_strncmp("abc", "abz", 2);
  out[4] = *__builtin_strchr("abc", 'b');
  out[5] = __builtin_strlen("four");
  out[6] = __builtin_memcmp("ab", "ab", 2);
  out[7] = __builtin_strcmp("b", "a");
}
