// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dialect;

import java.util.List;
import java.util.Optional;

/**
 * Another tool whose files can be written instead of the program's own: its definitions, sheets, spelling, places and
 * quirks. Found through {@link java.util.ServiceLoader}, chosen once by its name. What it does differently it says in
 * parts, one for each piece of work that it reproduces; whoever does that work declares what such a part looks like.
 */
public interface Dialect {
    /** The name by which users choose it: a word in lower case. */
    String name();

    /** What it does differently; no two of one kind. */
    List<Object> parts();

    /** The part of a kind, if the tool does such work. */
    default <P> Optional<P> part(Class<P> kind) {
        return parts().stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }
}
