// SPDX-License-Identifier: Apache-2.0
// Definitions that all kernels of the course share.
#pragma once

#define THREADS 256
