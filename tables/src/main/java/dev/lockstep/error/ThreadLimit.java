// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

/** How many threads the system allows a user or a container. */
public final class ThreadLimit {
    private ThreadLimit() {}

    /**
     * Whether the limit is reached, of which Java says that memory is lacking, whatever the inputs hold.
     *
     * @param failure that was thrown
     * @return false where it is memory that is lacking
     */
    public static boolean isReached(OutOfMemoryError failure) {
        return String.valueOf(failure.getMessage()).contains("native thread");
    }
}
