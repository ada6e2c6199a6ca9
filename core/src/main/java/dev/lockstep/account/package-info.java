// SPDX-License-Identifier: Apache-2.0
/**
 * Whether parts measured alone add up to the whole, in time and energy: {@link dev.lockstep.account.Accounting} puts both
 * into like units and says what the difference is made of, {@link dev.lockstep.account.EnergyAccount} joins windows of
 * benchmarks with power. Parts come from {@link dev.lockstep.account.ReplayResultFile} or from another tool's files.
 */
@NullMarked
package dev.lockstep.account;

import org.jspecify.annotations.NullMarked;
