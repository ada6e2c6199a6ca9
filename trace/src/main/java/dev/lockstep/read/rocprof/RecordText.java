// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.model.KnownArgument;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.TraceBuilder;
import org.jspecify.annotations.Nullable;

/** Keeps what a record says as arguments, under the names that PyTorch's profiler gives them. */
final class RecordText {
    private final @Nullable Recorder recorder;
    private final RecordedText text = new RecordedText();

    RecordText(TraceBuilder builder) {
        recorder = builder.recorder();
    }

    /** @param slice number of the slice that the record became */
    void call(int slice, RecordFields f) {
        if (recorder != null) {
            begin(f);
            recorder.slice(slice, text);
        }
    }

    /** @param eventIndex place among all records of the file */
    void mark(RecordFields f, int eventIndex) {
        if (recorder != null) {
            begin(f);
            recorder.mark(text, eventIndex);
        }
    }

    /**
     * @param slice number of the slice that the record became
     * @param device number of the device, negative when unknown
     */
    void device(int slice, RecordFields f, long device) {
        if (recorder != null) {
            begin(f);
            number(KnownArgument.DEVICE, device);
            number(KnownArgument.STREAM, f.stream);
            number(KnownArgument.MOVED_BYTES, f.bytes);
            sizes(KnownArgument.GRID, f.grid);
            sizes(KnownArgument.BLOCK, f.workgroup);
            recorder.slice(slice, text);
        }
    }

    private void begin(RecordFields f) {
        text.clear();
        if (f.correlation > 0) {
            number(KnownArgument.CORRELATION, f.correlation);
            text.wasCorrelation();
        }
        if (f.external > 0) {
            number(KnownArgument.EXTERNAL_ID, f.external);
            text.wasExternalId();
        }
    }

    private void number(KnownArgument argument, long value) {
        if (value >= 0) {
            text.argument(argument.spelling(), Long.toString(value));
        }
    }

    private void sizes(KnownArgument argument, long[] xyz) {
        if (xyz[0] >= 0) {
            text.argument(argument.spelling(), "[" + xyz[0] + ", " + xyz[1] + ", " + xyz[2] + "]");
        }
    }
}
