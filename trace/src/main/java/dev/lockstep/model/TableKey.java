// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.function.Function;

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
public record TableKey<T>(String name, Class<T> type, int texts, int numbers, Function<DetailTable, T> view) {}
