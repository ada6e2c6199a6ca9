// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an inference engine wrote into the name of the annotation around one iteration. The detailed forms carry the sums
 * from which attention can be modelled; the native forms only count requests and tokens.
 *
 * @param format who wrote it, and how much of it there is
 * @param context requests whose prompt is read (prefill)
 * @param generation requests that produce tokens (decode)
 * @param batch size of the batch in tokens, where they are known, else in requests; graphs are captured per batch
 */
public record IterationAnnotation(Format format, TokenCounts context, TokenCounts generation, long batch) {
    /** Known forms, in the order in which they are tried. */
    public enum Format {
        /** {@code execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk9sqsq32sqsk9)}. */
        VLLM_DETAILED(true),
        /** {@code execute_context_2(6144)_generation_3(3)}. */
        VLLM_NATIVE(false),
        /** {@code execute_new_1_cached_3}: requests that are new to the batch, and those that were in it before. */
        VLLM_COUNTS(false),
        /** {@code step[EXTEND bs=2 toks=9 c_sq=9 c_sk=9 c_sqsq=41 c_sqsk=41]}. */
        SGLANG_DETAILED(true),
        /** {@code step[DECODE bs=64]}. */
        SGLANG_NATIVE(false),
        /** {@code decode[bs=32 tok=128 d=32 sqsq=512 sqsk=262144 sk=65536]}. */
        ATOM_DETAILED(true),
        /** {@code prefill[bs=2 tok=14721 ctx=[7803, 6918]]}. */
        ATOM_NATIVE(false),
        /** {@code execute_diffusion_1_256x256}: images of that size at once. */
        DIFFUSION(false);

        private final boolean detailed;

        Format(boolean detailed) {
            this.detailed = detailed;
        }

        /** {@return whether sums over the context of requests are given, too} */
        public boolean detailed() {
            return detailed;
        }
    }

    /** What an iteration is for. */
    public enum Phase {
        /** All requests are in prefill: their prompts are read. */
        PREFILL,
        /** All requests are in decode: each produces tokens. */
        DECODE,
        /** Some requests are in prefill, some in decode. */
        MIXED,
        /** A denoising run of a diffusion model. */
        DIFFUSION,
        /** No requests. */
        IDLE
    }

    private static final String SUMS = "\\(sq(\\d+)sk(\\d+)sqsq(\\d+)sqsk(\\d+)\\)";
    private static final Pattern VLLM_DETAILED =
            Pattern.compile("execute_\\d+_context_(\\d+)" + SUMS + "_generation_(\\d+)" + SUMS);
    private static final Pattern VLLM_NATIVE =
            Pattern.compile("execute_context_(\\d+)\\((\\d+)\\)_generation_(\\d+)\\((\\d+)\\)");
    private static final Pattern VLLM_COUNTS = Pattern.compile("execute_new_(\\d+)_cached_(\\d+)");
    private static final Pattern SGLANG = Pattern.compile("step\\[(EXTEND|DECODE|MIXED)\\b([^\\]]*)\\]");
    private static final Pattern SGLANG_BARE = Pattern.compile("\\s+bs=\\d+(?:\\s+toks=\\d+)?");
    private static final Pattern ATOM = Pattern.compile("(prefill|decode)\\[(.*)\\]");
    private static final Pattern DIFFUSION = Pattern.compile("execute_diffusion_(\\d+)_\\d+x\\d+");
    private static final Pattern PAIR = Pattern.compile("(?<!\\w)(\\w++)=(\\d++)");

    /**
     * {@return the meaning of an annotation's name, or null when it marks no iteration}
     *
     * @param name name of an annotation
     */
    public static @Nullable IterationAnnotation parse(String name) {
        if (name.startsWith("execute_")) {
            return execute(name);
        }
        if (name.startsWith("step[")) {
            return sglang(name);
        }
        return name.startsWith("prefill[") || name.startsWith("decode[") ? atom(name) : null;
    }

    /** {@return what the iteration is for} */
    public Phase phase() {
        if (format == Format.DIFFUSION) {
            return Phase.DIFFUSION;
        }
        if (context.requests() > 0) {
            return generation.requests() > 0 ? Phase.MIXED : Phase.PREFILL;
        }
        return generation.requests() > 0 ? Phase.DECODE : Phase.IDLE;
    }

    /** {@return number of requests} */
    public long requests() {
        return context.requests() + generation.requests();
    }

    /** {@return tokens that the iteration computes} */
    public long tokens() {
        return context.q() + generation.q();
    }

    private static @Nullable IterationAnnotation execute(String name) {
        Matcher m = VLLM_DETAILED.matcher(name);
        if (m.lookingAt()) {
            TokenCounts context = sums(m, 1);
            TokenCounts generation = sums(m, 6);
            return of(Format.VLLM_DETAILED, context, generation, 0);
        }
        m = VLLM_NATIVE.matcher(name);
        if (m.lookingAt()) {
            return of(
                    Format.VLLM_NATIVE,
                    TokenCounts.of(number(m.group(1)), number(m.group(2))),
                    TokenCounts.of(number(m.group(3)), number(m.group(4))),
                    0);
        }
        m = VLLM_COUNTS.matcher(name);
        if (m.lookingAt()) {
            long started = number(m.group(1));
            long cached = number(m.group(2));
            return of(Format.VLLM_COUNTS, TokenCounts.of(started, 0), TokenCounts.of(cached, 0), started + cached);
        }
        m = DIFFUSION.matcher(name);
        if (!m.lookingAt()) {
            return null;
        }
        long images = number(m.group(1));
        return new IterationAnnotation(Format.DIFFUSION, TokenCounts.NONE, TokenCounts.of(images, 0), images);
    }

    private static TokenCounts sums(Matcher m, int group) {
        return new TokenCounts(
                number(m.group(group)),
                number(m.group(group + 1)),
                number(m.group(group + 2)),
                number(m.group(group + 3)),
                number(m.group(group + 4)));
    }

    private static @Nullable IterationAnnotation sglang(String name) {
        Matcher m = SGLANG.matcher(name);
        if (!m.lookingAt()) {
            return null;
        }
        String mode = m.group(1);
        Map<String, Long> values = values(m.group(2));
        long batch = get(values, "bs");
        long tokens = get(values, "toks");
        boolean decode = mode.equals("DECODE");
        if (!m.group(2).contains("sqsq=")) {
            if (!SGLANG_BARE.matcher(m.group(2)).matches()) {
                return null;
            }
            return of(
                    Format.SGLANG_NATIVE,
                    decode ? TokenCounts.NONE : TokenCounts.of(batch, tokens),
                    decode ? TokenCounts.of(batch, batch) : TokenCounts.NONE,
                    batch);
        }
        boolean mixed = mode.equals("MIXED");
        return of(
                Format.SGLANG_DETAILED,
                prefixed(values, "c_", mixed ? get(values, "c") : decode ? 0 : batch),
                prefixed(values, "g_", mixed ? get(values, "g") : decode ? batch : 0),
                tokens > 0 ? tokens : batch);
    }

    private static TokenCounts prefixed(Map<String, Long> values, String prefix, long requests) {
        return new TokenCounts(
                requests,
                get(values, prefix + "sq"),
                get(values, prefix + "sk"),
                get(values, prefix + "sqsq"),
                get(values, prefix + "sqsk"));
    }

    private static @Nullable IterationAnnotation atom(String name) {
        Matcher m = ATOM.matcher(name);
        if (!m.lookingAt()) {
            return null;
        }
        Map<String, Long> values = values(m.group(2));
        boolean detailed = values.containsKey("sqsq") && values.containsKey("sqsk");
        long tokens = get(values, "tok");
        TokenCounts counts =
                new TokenCounts(get(values, "bs"), tokens, get(values, "sk"), get(values, "sqsq"), get(values, "sqsk"));
        boolean prefill = m.group(1).equals("prefill");
        return new IterationAnnotation(
                detailed ? Format.ATOM_DETAILED : Format.ATOM_NATIVE,
                prefill ? counts : TokenCounts.NONE,
                prefill ? TokenCounts.NONE : counts,
                tokens);
    }

    private static IterationAnnotation of(
            Format format, TokenCounts context, TokenCounts generation, long batchWithoutTokens) {
        long tokens = context.q() + generation.q();
        return new IterationAnnotation(format, context, generation, tokens > 0 ? tokens : batchWithoutTokens);
    }

    /** Whole numbers by name; of {@code bs=117/128} the first, which is the batch without padding. */
    private static Map<String, Long> values(String text) {
        Map<String, Long> values = new HashMap<>();
        Matcher m = PAIR.matcher(text);
        while (m.find()) {
            values.put(m.group(1), number(m.group(2)));
        }
        return values;
    }

    private static long get(Map<String, Long> values, String name) {
        return values.getOrDefault(name, 0L);
    }

    private static long number(String digits) {
        return digits.length() > 18 ? 0 : Long.parseLong(digits);
    }
}
