// SPDX-License-Identifier: Apache-2.0
/**
 * Writers: one class per output format, each handed a finished {@link dev.lockstep.report.Report}. They know nothing
 * about traces or analyses. Everything is written beside its destination and moved there when whole
 * ({@link dev.lockstep.write.Output}).
 */
@NullMarked
package dev.lockstep.write;

import org.jspecify.annotations.NullMarked;
