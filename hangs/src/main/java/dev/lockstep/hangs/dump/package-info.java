// SPDX-License-Identifier: Apache-2.0
/**
 * Dumps of PyTorch's Flight Recorder as columns: {@link dev.lockstep.hangs.dump.DumpReader} reads one,
 * {@link dev.lockstep.hangs.dump.DumpedJob} puts those of all ranks side by side.
 */
@NullMarked
package dev.lockstep.hangs.dump;

import org.jspecify.annotations.NullMarked;
