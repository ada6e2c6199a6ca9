// SPDX-License-Identifier: Apache-2.0
/**
 * Plans as programs of their own, for machines where the bindings do not fit: {@link
 * dev.lockstep.replay.export.PythonExport} and {@link dev.lockstep.replay.export.CppExport}. They choose overloads, make up
 * inputs and measure as the program itself does, and write the same result.
 */
@NullMarked
package dev.lockstep.replay.export;

import org.jspecify.annotations.NullMarked;
