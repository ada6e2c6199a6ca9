// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.cli.power;

import org.jspecify.annotations.NullMarked;
