// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the outline of the document: {@code {"rocprofiler-sdk-tool": [process, ...]}}, a process being an object of
 * metadata, tables of names, and buffers of records.
 *
 * <p>Where the outline is damaged, reading goes on at the next member whose name is known; a damaged record costs itself.
 */
final class ToolDocument {
    private final TraceInput input;
    private final JsonWindow window;
    private final Diagnostics packing;
    private final List<ToolProcess> processes = new ArrayList<>();
    private @Nullable ToolProcess process;

    private final boolean everything;

    /** @param everything whether traces shall keep what no column holds */
    ToolDocument(TraceInput input, JsonWindow window, Diagnostics packing, boolean everything) {
        this.everything = everything;
        this.input = input;
        this.window = window;
        this.packing = packing;
    }

    List<Trace> read() throws IOException {
        if (window.peek() == 0 && window.position() == 0) {
            throw unusable(0, "the file is empty, expected a JSON document with rocprofiler-sdk-tool");
        }
        try {
            outline();
        } catch (Stop stop) {
            rest(stop);
        }
        close();
        if (processes.isEmpty()) {
            throw unusable(window.position(), "expected processes in rocprofiler-sdk-tool");
        }
        boolean alone = processes.size() == 1;
        List<Trace> traces = new ArrayList<>();
        while (!processes.isEmpty()) {
            traces.add(processes.removeFirst().build(input, alone));
        }
        return traces;
    }

    private void outline() throws IOException, Stop {
        if (window.peek() == 0xEF - 256) {
            window.seek("{");
        }
        window.expect('{', "'{' of the document");
        for (boolean first = true; window.more('}', first); first = false) {
            if (!("\"" + window.key() + "\"").equals(RocprofReader.ROOT)) {
                window.pass();
                continue;
            }
            window.expect('[', "'[' of the processes");
            for (boolean one = true; window.more(']', one); one = false) {
                process();
            }
        }
        if (window.peek() != 0) {
            packing.add(Weight.REPAIRED, "trailing_data", "there is more text behind the document", window.position());
        }
    }

    private void process() throws IOException, Stop {
        ToolProcess own = open();
        window.expect('{', "'{' of a process");
        for (boolean first = true; window.more('}', first); first = false) {
            own.member(window.key(), window);
        }
        close();
    }

    /** What can still be read behind damage. */
    private void rest(Stop first) throws IOException {
        Stop stop = first;
        if (process == null && !processes.isEmpty()) {
            behindProcesses(stop, processes.getLast().diagnostics());
            return;
        }
        ToolProcess own = process == null ? open() : process;
        while (stop == Stop.MALFORMED) {
            own.diagnostics()
                    .add(
                            Weight.LOSS,
                            "damaged_block",
                            "expected " + window.expected() + "; the text is read on from the next part that is known",
                            window.failure());
            window.cursor().pos = Math.max(window.cursor().pos, window.cursor().failedAt);
            String found = window.seek(ToolProcess.KNOWN);
            if (found == null) {
                return;
            }
            try {
                while (true) {
                    own.member(window.key(), window);
                    if (window.peek() != ',') {
                        break;
                    }
                    window.cursor().pos++;
                    window.peek();
                }
                // Behind the end of a process, or damage again.
                if (window.peek() == 0) {
                    return;
                }
                stop = window.cursor().malformed(window.cursor().pos, "a known part");
            } catch (Stop again) {
                stop = again;
            }
        }
        if (stop == Stop.INCOMPLETE) {
            truncated(own.diagnostics());
        }
    }

    /** All processes that were found are whole. */
    private void behindProcesses(Stop stop, Diagnostics last) {
        if (stop == Stop.INCOMPLETE) {
            truncated(last);
        } else {
            last.add(
                    Weight.LOSS,
                    "damaged_block",
                    "expected " + window.expected() + " behind a process; what follows was left out",
                    window.failure());
        }
    }

    private void truncated(Diagnostics diagnostics) {
        diagnostics.add(
                Weight.LOSS,
                "truncated",
                "the file ends inside a value, which begins here; the file was cut",
                window.position());
    }

    private ToolProcess open() {
        ToolProcess own = new ToolProcess(processes.size(), everything);
        process = own;
        return own;
    }

    private void close() throws TraceFormatException {
        ToolProcess own = process;
        process = null;
        if (own == null) {
            return;
        }
        if (own.diagnostics().hasLoss() && !own.hasRecords()) {
            throw unusable(window.position(), "the text is damaged or ends before any record, expected buffer_records");
        }
        if (processes.isEmpty()) {
            own.diagnostics().addAll(packing);
        }
        processes.add(own);
    }

    private TraceFormatException unusable(long position, String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT, input.name(), position, problem, TraceFormat.ROCPROF.hint());
    }
}
