// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.Map;

/** What the collective library is told in one run; runs of a plan differ in nothing else. */
public sealed interface Setting permits WarpSpeed, ThreadsAndChannels {
    /** The run's folder below that of the sweep. */
    Path directory();

    /** The variables that make the setting. */
    Map<String, String> environment();

    /** As people read it, in one line. */
    String title();
}
