// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.publish;

import org.jspecify.annotations.NullMarked;
