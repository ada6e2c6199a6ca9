// SPDX-License-Identifier: Apache-2.0
/**
 * Pages that are one file: a {@link dev.lockstep.publish.page.Page} of text, pictures and tables, and
 * {@link dev.lockstep.publish.page.PageWriter}, which writes it with everything inside.
 */
@NullMarked
package dev.lockstep.publish.page;

import org.jspecify.annotations.NullMarked;
