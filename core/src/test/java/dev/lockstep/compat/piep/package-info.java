// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.compat.piep;

import org.jspecify.annotations.NullMarked;
