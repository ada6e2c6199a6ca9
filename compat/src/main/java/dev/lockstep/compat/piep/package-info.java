// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for the kernel profiling and replay project "piep": which events it takes for kernels, the files that its
 * extractors and its chart write, and the result files of its benchmark. Start with {@link
 * dev.lockstep.compat.piep.PiepExtract}.
 */
@NullMarked
package dev.lockstep.compat.piep;

import org.jspecify.annotations.NullMarked;
