// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write.perfetto;

import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.write.RankIds;
import dev.lockstep.write.RankTimeline;
import java.util.Objects;

/** The arguments of slices as the file wrote them, with numbers of launches that are unique in the new file. */
final class SliceArguments {
    /** Stands before what is no argument but a field of the event itself. */
    static final String FIELD = "event.";

    private final Slices slices;
    private final RankIds ids;
    private final Arguments arguments;
    private final RecordedTexts.Cursor recorded;

    SliceArguments(RankTimeline rank, Arguments arguments) {
        this.slices = rank.trace().slices();
        this.ids = rank.ids();
        this.arguments = arguments;
        this.recorded = Objects.requireNonNull(rank.trace().recorded(), "the trace does not keep everything")
                .slices()
                .cursor();
    }

    void write(int slice, ProtoBuffer event) {
        RecordedTexts.Cursor r = recorded;
        if (!r.move(slice)) {
            return;
        }
        if (r.correlation >= 0) {
            arguments.replace(r.correlation, ids.of(slices.correlation(slice)));
        }
        if (r.externalId >= 0) {
            arguments.replace(r.externalId, ids.of(slices.externalId(slice)));
        }
        arguments.add(r.bytes, r.arguments, r.argumentsEnd, "", event);
        arguments.add(r.bytes, r.fields, r.fieldsEnd, FIELD, event);
    }
}
