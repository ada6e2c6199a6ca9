// SPDX-License-Identifier: Apache-2.0
/**
 * What exports of Nsight Systems hold, as rows. A module with a library for databases reads them
 * ({@link dev.lockstep.read.nsys.NsysExports}); what the rows mean is understood by those who ask for them.
 */
@NullMarked
package dev.lockstep.read.nsys;

import org.jspecify.annotations.NullMarked;
