// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the JSON of the first rocprof ({@code docs/reference/formats/rocprof.md}). Start at
 * {@link dev.lockstep.read.rocprofv1.RocprofV1Reader}.
 */
@NullMarked
package dev.lockstep.read.rocprofv1;

import org.jspecify.annotations.NullMarked;
