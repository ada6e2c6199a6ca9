// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes: the JSON cursor, gzip, sources of bytes. Knows nothing of traces. Not for use outside {@code core}. Start at
 * {@link dev.lockstep.codec.JsonCursor}.
 */
@NullMarked
package dev.lockstep.codec;

import org.jspecify.annotations.NullMarked;
