// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write.perfetto;

import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_ANNOTATION;

import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.write.RankIds;
import dev.lockstep.write.RankTimeline;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The arguments of slices as the file wrote them, with numbers of launches that are unique in the new file. */
final class SliceArguments {
    private final Slices slices;
    private final RankIds ids;
    private final Arguments arguments;
    private final RecordedTexts.Cursor recorded;
    private final ArgumentTokens tokens;
    private final @Nullable ArgumentWords[] words;

    SliceArguments(RankTimeline rank, Arguments arguments) {
        this.slices = rank.trace().slices();
        this.ids = rank.ids();
        this.arguments = arguments;
        RecordedTexts texts = Objects.requireNonNull(rank.trace().recorded(), "the trace does not keep everything")
                .slices();
        this.recorded = texts.cursor();
        this.tokens = texts.tokens();
        this.words = new ArgumentWords[texts.dictionaries()];
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
    }

    private void add(int slice, ProtoBuffer event) {
        ArgumentWords known = words[tokens.dictionary()];
        if (known == null) {
            known = new ArgumentWords(tokens.words(), arguments);
            words[tokens.dictionary()] = known;
        }
        while (tokens.next()) {
            int name = known.name(tokens.key);
            if (tokens.role == RecordedText.CORRELATION) {
                Arguments.whole(name, ids.of(slices.correlation(slice)), event);
            } else if (tokens.role == RecordedText.EXTERNAL_ID) {
                Arguments.whole(name, ids.of(slices.externalId(slice)), event);
            } else if (tokens.kind == ArgumentTokens.DIGITS) {
                Arguments.whole(name, tokens.digits(), event);
            } else if (tokens.kind == ArgumentTokens.WORD) {
                event.message(EVENT_ANNOTATION, ANNOTATION_NAME_IID, name, known.value(tokens.word));
            } else {
                arguments.value(tokens.bytes, tokens.from, tokens.to, name, event);
            }
        }
    }

    private void spelt(int slice, ProtoBuffer event) {
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
        arguments.add(r.bytes, r.arguments, r.argumentsEnd, event);
        arguments.addFields(r.bytes, r.fields, r.fieldsEnd, event);
    }
}
