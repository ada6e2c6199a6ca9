// SPDX-License-Identifier: Apache-2.0
/**
 * The front door and the table of contents: the only package that knows all others. Start at
 * {@link dev.lockstep.engine.Session} and {@link dev.lockstep.engine.Builtins}.
 */
@NullMarked
package dev.lockstep.engine;

import org.jspecify.annotations.NullMarked;
