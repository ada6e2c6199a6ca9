// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A view on the tables of a dataset that comes with the program.
 *
 * @param name as queries call it
 * @param doc what its rows are, in a sentence or two
 * @param query its definition
 */
public record QueryView(String name, String doc, String query) {
    /** All views, in the order of their names. */
    public static List<QueryView> all() {
        return Stream.of(
                        "comm_matrix",
                        "exposed",
                        "first_divergence",
                        "launch_bound_ops",
                        "missing",
                        "never_overlapped",
                        "outlier_kernels",
                        "own_time",
                        "pace",
                        "rank_step_heat")
                .map(QueryView::of)
                .toList();
    }

    private static QueryView of(String name) {
        try (InputStream in =
                Objects.requireNonNull(QueryView.class.getResourceAsStream("views/" + name + ".sql"), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            return new QueryView(
                    name,
                    text.substring(2, end).strip(),
                    text.substring(end + 1).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
