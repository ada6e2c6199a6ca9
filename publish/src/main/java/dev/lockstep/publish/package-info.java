// SPDX-License-Identifier: Apache-2.0
/**
 * Report writers that need libraries. {@link dev.lockstep.publish.WorkbookWriter} is a
 * {@link dev.lockstep.write.ReportWriter} like those of core and knows as little about traces; it announces itself as a
 * service.
 */
@NullMarked
package dev.lockstep.publish;

import org.jspecify.annotations.NullMarked;
