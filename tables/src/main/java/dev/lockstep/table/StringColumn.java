// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import org.jspecify.annotations.Nullable;

/** Text, or structured values as JSON text. */
public final class StringColumn implements Column {
    private final @Nullable String[] values;

    StringColumn(@Nullable String[] values) {
        this.values = values;
    }

    /**
     * {@return the text, null when missing}
     *
     * @param row from 0
     */
    public @Nullable String get(int row) {
        return values[row];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean isMissing(int row) {
        return values[row] == null;
    }
}
