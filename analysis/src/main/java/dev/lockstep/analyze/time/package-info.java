// SPDX-License-Identifier: Apache-2.0
/**
 * Where the time goes: busy, idle, exposed; per device, stream and step.
 */
@NullMarked
package dev.lockstep.analyze.time;

import org.jspecify.annotations.NullMarked;
