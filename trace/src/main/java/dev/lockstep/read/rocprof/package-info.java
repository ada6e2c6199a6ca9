// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the JSON results of rocprofv3 ({@code docs/reference/formats/rocprofv3.md}). Start at
 * {@link dev.lockstep.read.rocprof.RocprofReader}.
 */
@NullMarked
package dev.lockstep.read.rocprof;

import org.jspecify.annotations.NullMarked;
