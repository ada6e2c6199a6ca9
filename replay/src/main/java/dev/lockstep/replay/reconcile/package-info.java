// SPDX-License-Identifier: Apache-2.0
/**
 * Whether parts measured alone add up to the whole, in time and energy: {@link dev.lockstep.replay.reconcile.Reconciliation} puts both
 * into like units and says what the difference is made of, {@link dev.lockstep.replay.reconcile.PartsEnergy} joins windows of
 * benchmarks with power. Parts come from {@link dev.lockstep.replay.reconcile.ReplayResultFile} or from another tool's files.
 */
@NullMarked
package dev.lockstep.replay.reconcile;

import org.jspecify.annotations.NullMarked;
