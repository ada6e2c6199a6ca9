// SPDX-License-Identifier: Apache-2.0
/**
 * Sheets with the names and columns of Holistic Trace Analysis. Start at {@link dev.lockstep.compat.hta.HtaSheets}; what takes
 * part in an analysis says {@link dev.lockstep.compat.hta.HtaEvents}.
 */
@NullMarked
package dev.lockstep.compat.hta;

import org.jspecify.annotations.NullMarked;
