// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.publish.figures;

import org.jspecify.annotations.NullMarked;
