// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dialect;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The dialects that are installed. */
public final class Dialects {
    private Dialects() {}

    /** The dialect of this name. */
    public static Optional<Dialect> named(String name) {
        return all().filter(dialect -> dialect.name().equals(name)).findFirst();
    }

    /** The dialects that have a part of this kind, by name. */
    public static List<String> having(Class<?> kind) {
        return all().filter(dialect -> dialect.part(kind).isPresent())
                .map(Dialect::name)
                .sorted()
                .toList();
    }

    /** The parts of a kind that any dialect has, by the dialects' names. */
    public static <P> List<P> parts(Class<P> kind) {
        return all().sorted((a, b) -> a.name().compareTo(b.name()))
                .flatMap(dialect -> dialect.part(kind).stream())
                .toList();
    }

    private static Stream<Dialect> all() {
        return ServiceLoader.load(Dialect.class).stream().map(ServiceLoader.Provider::get);
    }
}
