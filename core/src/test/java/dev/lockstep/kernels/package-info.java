// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.kernels;

import org.jspecify.annotations.NullMarked;
