// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.write;

import org.jspecify.annotations.NullMarked;
