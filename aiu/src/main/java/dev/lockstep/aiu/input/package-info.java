// SPDX-License-Identifier: Apache-2.0
/** Reads AIU traces: files, who wrote them, pairing of begins and ends, and merging by time. */
@NullMarked
package dev.lockstep.aiu.input;

import org.jspecify.annotations.NullMarked;
