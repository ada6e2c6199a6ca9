// SPDX-License-Identifier: Apache-2.0
/**
 * What may be asked of reports: {@link dev.lockstep.options.ReportOptions} for one rank,
 * {@link dev.lockstep.options.CollectiveOptions} for several together.
 */
@NullMarked
package dev.lockstep.options;

import org.jspecify.annotations.NullMarked;
