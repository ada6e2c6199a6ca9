// SPDX-License-Identifier: Apache-2.0
/**
 * Errors by who can act on them: the user with the file ({@link dev.lockstep.error.TraceFormatException}), the user
 * with options ({@link dev.lockstep.error.UserException}). Everything else that is thrown is a bug of ours.
 * Depends on nothing.
 */
@NullMarked
package dev.lockstep.error;

import org.jspecify.annotations.NullMarked;
