// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes and texts: the JSON cursor, gzip, sources of bytes, secrets in texts, patterns that users give. Knows nothing of
 * traces. Exported to the program's own modules only. Start at {@link dev.lockstep.codec.JsonCursor}.
 */
@NullMarked
package dev.lockstep.codec;

import org.jspecify.annotations.NullMarked;
