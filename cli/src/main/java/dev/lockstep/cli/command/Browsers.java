// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Shows a page in the user's browser, the way the platform does it. */
final class Browsers {
    private Browsers() {}

    static void open(Path page) {
        open(page.toAbsolutePath().toString());
    }

    /** @param address of a page, or the path of a file */
    static void open(String address) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String opener = system.contains("mac") ? "open" : system.contains("win") ? "explorer" : "xdg-open";
        try {
            new ProcessBuilder(List.of(opener, address))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UserException(
                    ErrorCode.TOOL_FAILED,
                    opener + " cannot be started",
                    "Open " + address + " in a browser yourself.",
                    e);
        }
    }
}
