// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

/** Where a source reports what is wrong with its bytes. */
@FunctionalInterface
public interface Damage {
    /**
     * @param loss whether content is certainly missing
     * @param code stable word in lower case
     * @param message what was found
     * @param position byte offset in the file
     */
    void report(boolean loss, String code, String message, long position);
}
