// SPDX-License-Identifier: Apache-2.0
/**
 * Workbooks, pictures and pages. {@link dev.lockstep.publish.WorkbookWriter} is a
 * {@link dev.lockstep.write.ReportWriter} and {@link dev.lockstep.publish.WorkbookFormat} a
 * {@link dev.lockstep.tabular.SheetFormat} like those of core, and know as little about traces; they announce themselves as
 * services.
 */
@NullMarked
package dev.lockstep.publish;

import org.jspecify.annotations.NullMarked;
