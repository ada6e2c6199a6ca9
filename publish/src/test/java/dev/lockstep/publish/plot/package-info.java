// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.publish.plot;

import org.jspecify.annotations.NullMarked;
