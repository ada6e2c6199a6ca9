// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.lockstep.publish.page;

import org.jspecify.annotations.NullMarked;
