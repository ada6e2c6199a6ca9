// SPDX-License-Identifier: Apache-2.0
/**
 * Writers of reports, one class for each output format. Each is handed a finished {@link dev.lockstep.report.Report} and
 * knows nothing about traces or analyses. Everything is written beside its destination and moved there when whole
 * ({@link dev.lockstep.write.Output}).
 */
@NullMarked
package dev.lockstep.write;

import org.jspecify.annotations.NullMarked;
