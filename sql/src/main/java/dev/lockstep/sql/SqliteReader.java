// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.util.List;

/**
 * Reads databases. All begin alike: the tables say which format it is, so that every reader of one takes all of them.
 */
abstract class SqliteReader implements TraceReader {
    @Override
    public final boolean recognises(byte[] head) {
        return SqliteFile.recognises(head);
    }

    /** SQLite does not stream: the file is opened anew where it lies. */
    @Override
    public final List<Trace> read(
            TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options) throws IOException {
        try (SqliteFile file = SqliteFile.open(input)) {
            List<Trace> traces;
            if (RocpdTables.isOne(file)) {
                file.isOf(RocpdReader.FORMAT, RocpdTables.TEXTS);
                traces = new RocpdDocument(file).read(diagnostics);
            } else if (RocprofTables.isOne(file)) {
                file.isOf(RocprofDatabaseReader.FORMAT, RocprofTables.TEXTS);
                traces = new RocprofTables(file).read(diagnostics);
            } else if (AscendDocument.isOne(file)) {
                file.isOf(AscendReader.FORMAT, AscendDocument.TEXTS);
                traces = new AscendDocument(file).read(diagnostics);
            } else {
                file.isOf(NsysReader.FORMAT, SqliteNsysExports.TEXTS);
                traces = new NsysDocument(file).read(diagnostics);
            }
            options.progress().accept(input.size());
            return traces;
        }
    }
}
