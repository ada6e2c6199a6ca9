// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.account;

import org.jspecify.annotations.NullMarked;
