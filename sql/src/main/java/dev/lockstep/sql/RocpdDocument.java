// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes traces of a database of rocprofv3, one for each process of each recording in it. */
final class RocpdDocument {
    private final SqliteFile file;

    RocpdDocument(SqliteFile file) {
        this.file = file;
    }

    List<Trace> read(Diagnostics diagnostics) throws IOException {
        List<RocmProcess> all = new ArrayList<>();
        for (RocpdTables tables : RocpdTables.of(file)) {
            all.addAll(new RocpdRecording(tables).read());
        }
        return traces(file, RocpdReader.FORMAT, all, diagnostics);
    }

    /** The traces of processes, with what is odd about the file in the first. */
    static List<Trace> traces(SqliteFile file, TraceFormat format, List<RocmProcess> all, Diagnostics diagnostics)
            throws IOException {
        file.noteDamagedRows(diagnostics);
        List<Trace> traces = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (i == 0) {
                all.get(i).diagnostics().addAll(diagnostics);
            }
            traces.add(all.get(i).build(file.input(), format, i, all.size() == 1));
        }
        return traces;
    }
}
