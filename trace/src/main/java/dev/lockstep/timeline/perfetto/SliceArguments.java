// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.timeline.PathArrows;
import dev.lockstep.timeline.RankIds;
import dev.lockstep.timeline.RankTimeline;

/** The arguments of slices as the file wrote them, with numbers of launches that are unique in the new file. */
final class SliceArguments {
    private static final long NO_ID = -1;

    private final Slices slices;
    private final RankIds ids;
    private final RecordedArguments recordedArguments;
    private final DebugAnnotations arguments;
    private final RecordedTexts.Cursor recorded;
    private final ArgumentTokens tokens;
    private final PathArrows.Cursor path;

    SliceArguments(RankTimeline rank, RecordedTexts texts, RecordedArguments recordedArguments) {
        this.slices = rank.trace().slices();
        this.ids = rank.ids();
        this.recordedArguments = recordedArguments;
        this.arguments = recordedArguments.ofText();
        this.recorded = texts.cursor();
        this.tokens = texts.tokens();
        this.path = new PathArrows.Cursor(rank.path(), 0);
    }

    void write(int slice, ProtoBuffer event) {
        if (tokens.move(slice)) {
            add(slice, event);
            if (tokens.hasFields()) {
                recorded.move(slice);
                arguments.addFields(recorded.bytes, recorded.fields, recorded.fieldsEnd, event);
            }
        } else {
            spelt(slice, event);
        }
        long onPath = path.onPath(slice);
        if (onPath >= 0) {
            arguments.add(PathArrows.ARGUMENT, onPath, event);
        }
    }

    private void add(int slice, ProtoBuffer event) {
        ArgumentWords known = recordedArguments.words(tokens);
        while (tokens.next()) {
            int name = known.name(tokens.key);
            long id = id(tokens.role, slice);
            if (id != NO_ID) {
                DebugAnnotations.whole(name, ids.of(id), event);
            } else {
                recordedArguments.add(tokens, known, name, event);
            }
        }
    }

    /** What an argument with this role joins by; -1 where its value is no number, so that it stays as it is. */
    private long id(int role, int slice) {
        return switch (role) {
            case RecordedText.CORRELATION -> slices.correlation(slice);
            case RecordedText.EXTERNAL_ID -> slices.externalId(slice);
            default -> NO_ID;
        };
    }

    private void spelt(int slice, ProtoBuffer event) {
        RecordedTexts.Cursor r = recorded;
        if (!r.move(slice)) {
            return;
        }
        if (r.correlation >= 0 && slices.correlation(slice) != NO_ID) {
            arguments.replace(r.correlation, ids.of(slices.correlation(slice)));
        }
        if (r.externalId >= 0 && slices.externalId(slice) != NO_ID) {
            arguments.replace(r.externalId, ids.of(slices.externalId(slice)));
        }
        arguments.add(r.bytes, r.arguments, r.argumentsEnd, event);
        arguments.addFields(r.bytes, r.fields, r.fieldsEnd, event);
    }
}
