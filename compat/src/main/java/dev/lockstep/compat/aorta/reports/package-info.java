// SPDX-License-Identifier: Apache-2.0
/**
 * The reports that AORTA's scripts read: sheets, columns and orders of TraceLens as of December 2025, around whatever numbers
 * a report of its newer versions has. Start at {@link dev.lockstep.compat.aorta.reports.ReportLayout}.
 */
@NullMarked
package dev.lockstep.compat.aorta.reports;

import org.jspecify.annotations.NullMarked;
