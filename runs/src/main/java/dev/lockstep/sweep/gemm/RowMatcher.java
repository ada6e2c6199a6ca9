// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.gemm.Gemm;
import dev.lockstep.analyze.gemm.GemmShape;
import dev.lockstep.analyze.gemm.RankGemms;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Sweep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds the kernels that the rows of a file mean: those of their own operator and shape, not all of the same name. */
final class RowMatcher {
    private static final int US_TO_NS = 3;
    private static final int MS_TO_NS = 6;

    private record Place(int threads, int channels, int rank) {}

    private final ChainFile file;
    private final List<Place> places = new ArrayList<>();

    RowMatcher(ChainFile file) {
        this.file = file;
        for (int row = 0; row < file.rows(); row++) {
            places.add(new Place(file.number("threads", row), file.number("channel", row), file.number("rank", row)));
        }
    }

    ChainFile file() {
        return file;
    }

    int rank(int row) {
        return places.get(row).rank;
    }

    /** As many empty cells for each row. */
    List<List<String>> blank(int width) {
        return new ArrayList<>(Collections.nCopies(file.rows(), Collections.nCopies(width, "")));
    }

    /** The configurations of the sweep that rows name. */
    List<Configuration> configurations(Sweep sweep) {
        return sweep.configurations().stream()
                .filter(configuration -> !rowsOf(configuration).isEmpty())
                .toList();
    }

    /** What rows name that the sweep does not have. */
    Set<String> unknown(Sweep sweep) {
        Set<String> unknown = new LinkedHashSet<>();
        for (Place place : places) {
            if (sweep.configuration(place.threads, place.channels).isEmpty()) {
                unknown.add(place.threads + "thread_" + place.channels + "ch");
            }
        }
        return unknown;
    }

    List<Integer> rowsOf(Configuration configuration) {
        return IntStream.range(0, places.size())
                .filter(row -> places.get(row).threads
                                == configuration.settings().threads()
                        && places.get(row).channels == configuration.settings().channels())
                .boxed()
                .toList();
    }

    List<Integer> rowsOf(Configuration configuration, int rank) {
        return rowsOf(configuration).stream()
                .filter(row -> places.get(row).rank == rank)
                .toList();
    }

    /** Start of the row's longest kernel in ns, -1 when the file does not say. */
    long longestStart(int row) {
        return file.nanoseconds("max_duration_timestamp_ms", row, MS_TO_NS);
    }

    /** Its duration in ns, -1 when the file does not say. */
    long longestDuration(int row) {
        return file.nanoseconds(
                file.has("max_duration_found_us") ? "max_duration_found_us" : ColumnNames.KERNEL_TIME_MAX_US,
                row,
                US_TO_NS);
    }

    /** The places of the row's kernels among those of its rank; what the file does not say tells nothing apart. */
    List<Integer> match(int row, RankGemms gemms) {
        List<Integer> found = new ArrayList<>();
        List<Gemm> all = gemms.gemms();
        for (int place = 0; place < all.size(); place++) {
            GemmShape shape = all.get(place).shape();
            boolean same = file.cell("kernel_name", row).equals(shape.kernel())
                    && agrees("stream", row, all.get(place).stream())
                    && agrees("col_name", row, shape.operator())
                    && agrees("col_Input Dims_first", row, shape.dims())
                    && agrees("col_Input type_first", row, shape.types())
                    && agrees("col_Input Strides_first", row, shape.strides());
            if (same) {
                found.add(place);
            }
        }
        return found;
    }

    private boolean agrees(String head, int row, @Nullable String own) {
        String said = file.cell(head, row);
        return said.isEmpty() || own != null && GemmCells.plainList(said).equals(GemmCells.plainList(own));
    }
}
