// SPDX-License-Identifier: Apache-2.0
/** The stages of the AIU pipeline, one class each, and what several of them share. */
@NullMarked
package dev.lockstep.aiu.stage;

import org.jspecify.annotations.NullMarked;
