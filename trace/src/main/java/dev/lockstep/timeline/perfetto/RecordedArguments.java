// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.ANNOTATION_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_ANNOTATION;

import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.Recorded;
import org.jspecify.annotations.Nullable;

/** The arguments that a rank keeps as tokens, as annotations. What a word is among annotations is found out once. */
final class RecordedArguments {
    private final DebugAnnotations arguments;
    private final @Nullable ArgumentWords[] words;

    /** @param arguments makes the annotations */
    RecordedArguments(Recorded recorded, DebugAnnotations arguments) {
        this.arguments = arguments;
        this.words = new ArgumentWords[recorded.slices().dictionaries()];
    }

    /** What makes annotations of text. */
    DebugAnnotations ofText() {
        return arguments;
    }

    /** The words of the row that these tokens are at. */
    ArgumentWords words(ArgumentTokens tokens) {
        ArgumentWords known = words[tokens.dictionary()];
        if (known == null) {
            known = new ArgumentWords(tokens.words(), arguments);
            words[tokens.dictionary()] = known;
        }
        return known;
    }

    /** Adds an annotation of this name for the value of the token. */
    void add(ArgumentTokens token, ArgumentWords known, int name, ProtoBuffer event) {
        if (token.kind == ArgumentTokens.DIGITS) {
            DebugAnnotations.whole(name, token.digits(), event);
        } else if (token.kind == ArgumentTokens.WORD) {
            event.message(EVENT_ANNOTATION, ANNOTATION_NAME_IID, name, known.value(token.word));
        } else {
            arguments.value(token.bytes, token.from, token.to, name, event);
        }
    }
}
