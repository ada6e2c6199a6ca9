// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.model.IterationAnnotation;
import dev.lockstep.model.IterationAnnotation.Format;
import dev.lockstep.model.TokenCounts;

/**
 * The sums over the requests of an iteration that attention is modelled by: {@code c_} for requests in prefill,
 * {@code g_} for those in decode, each with sq, sk, sqsq or sqsk. Where SGLang only counts prompts and their tokens, the
 * prompts are taken to be of one length and without a cached beginning.
 */
final class IterationSums {
    private IterationSums() {}

    static Value of(OpCall call, String sum) throws NotModelled {
        String text = call.annotation();
        IterationAnnotation annotation = text == null ? null : IterationAnnotation.parse(text);
        if (annotation == null) {
            throw NotModelled.unreadable("no annotation tells of the iteration around it");
        }
        if (annotation.format().detailed()) {
            return Value.of(pick(sum.startsWith("c_") ? annotation.context() : annotation.generation(), sum));
        }
        TokenCounts prompts = annotation.context();
        if (annotation.format() != Format.SGLANG_NATIVE || prompts.requests() == 0 || prompts.q() == 0) {
            throw NotModelled.unreadable("the annotation of the iteration does not tell the lengths of contexts");
        }
        if (sum.startsWith("g_")) {
            return Value.of(0);
        }
        double squares = (double) prompts.q() * prompts.q() / prompts.requests();
        return sum.equals("c_sq") || sum.equals("c_sk") ? Value.of(prompts.q()) : Value.of(squares);
    }

    private static long pick(TokenCounts counts, String sum) throws NotModelled {
        return switch (sum.substring(Math.min(2, sum.length()))) {
            case "sq" -> counts.q();
            case "sk" -> counts.k();
            case "sqsq" -> counts.qq();
            case "sqsk" -> counts.qk();
            default -> throw NotModelled.unreadable("an iteration has no sum " + sum);
        };
    }
}
