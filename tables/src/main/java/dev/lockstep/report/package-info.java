// SPDX-License-Identifier: Apache-2.0
/**
 * What a report is, not how it is written: sections of tables, charts and findings. Depends on {@code table} only.
 * Start at {@link dev.lockstep.report.Report}.
 */
@NullMarked
package dev.lockstep.report;

import org.jspecify.annotations.NullMarked;
