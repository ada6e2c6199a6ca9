// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote into the program. */
public final class ProgramVersion {
    private ProgramVersion() {}

    /** The version number alone, as in {@code 0.1.0}. */
    public static String number() {
        Properties properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    /** Prints one line with name and number; the exit status is always {@link ExitStatus#COMPLETE}. */
    public static int print(PrintWriter out) {
        out.println("lockstep " + number());
        return ExitStatus.COMPLETE;
    }

    /** The Java that runs the program; worth having in a problem report. */
    public static String javaLine() {
        return "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + "), "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }
}
