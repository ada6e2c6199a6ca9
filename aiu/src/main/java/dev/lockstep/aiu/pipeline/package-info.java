// SPDX-License-Identifier: Apache-2.0
/** What flows through the AIU pipeline, and how: events, the contract of stages, options, profiles, messages. */
@NullMarked
package dev.lockstep.aiu.pipeline;

import org.jspecify.annotations.NullMarked;
