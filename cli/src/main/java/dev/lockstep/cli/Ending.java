// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.write.ScratchFolder;
import java.time.Duration;

/** The end of the program, by itself or by a signal. */
final class Ending {
    /** How long what a signal has set going may take; scratch folders are gone within two seconds. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private Ending() {}

    /** Whether a signal is ending the program: whatever fails from now on is a consequence. */
    static boolean hasBegun() {
        Thread probe = new Thread(() -> {}, "probe");
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /**
     * Ends the program. Nothing waits for the end: an orderly shutdown would only load more classes. Tasks that still read
     * after the command has failed leave no files behind. But when a signal has come, the virtual machine ends by itself as
     * soon as scratch folders are gone; a launch that the signal has stopped ends here.
     */
    static void end(int status) {
        if (hasBegun() && status != ExitStatus.INTERRUPTED) {
            try {
                Thread.sleep(LONGEST_WAIT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
        }
        ScratchFolder.endAll();
        Runtime.getRuntime().halt(status);
    }
}
