// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.power;

import org.jspecify.annotations.NullMarked;
