// SPDX-License-Identifier: Apache-2.0
// What all kernels of the course have in common.
#pragma once

#define THREADS 256
