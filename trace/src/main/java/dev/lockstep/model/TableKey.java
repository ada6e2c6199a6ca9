// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The typed key of a side table. The key is the registration: a new kind of detail is one class that holds its key, and
 * needs no change elsewhere.
 *
 * @param <T> the typed view of the table
 * @param name stable identifier in {@code snake_case}
 * @param type the view of the table
 * @param texts number of columns that hold pool ids
 * @param numbers number of columns that hold longs
 * @param view makes the typed view
 */
public record TableKey<T>(String name, Class<T> type, int texts, int numbers, Function<DetailTable, T> view) {
    /** {@return whether the other is the key of the same name} Readers ask for each row. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof TableKey<?> key && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
