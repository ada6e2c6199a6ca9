// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands that share their first word, as in {@code lockstep config run} and {@code lockstep config report}. */
public interface CommandGroup {
    /** One line each, in the order in which the help shows them. */
    List<CommandEntry> parts();

    /** What runs when options follow the group's name and not one of its commands; null if nothing does. */
    default @Nullable CommandEntry itself() {
        return null;
    }
}
