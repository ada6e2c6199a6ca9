// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a series or a part of a chart is about, which decides its colour on pages, in pictures and in workbooks. */
public enum Tone {
    /** Computation. */
    COMPUTE("4580D4"),
    /** Collectives and messages. */
    COMMUNICATION("C47F1F"),
    /** Copies and fills. */
    MEMORY("4A2318"),
    /** Work of the host, and what is not told apart. */
    HOST("B0B7C0"),
    /** Nothing runs. */
    IDLE("E4E8EC"),
    /** Something waits for something else. */
    WAITING("D5DAE0"),
    /** Attention; also one of the hues of what has no tone. */
    ATTENTION("714092"),
    /** Convolutions; also one of the hues of what has no tone. */
    CONVOLUTION("4C798E"),
    /** Normalization; also one of the hues of what has no tone. */
    NORMALIZATION("7A7C52"),
    /** Elementwise work; also one of the hues of what has no tone. */
    ELEMENTWISE("632458");

    /**
     * What names mean, in this order: the first whose pattern is found in a name gives its tone.
     *
     * @param pattern found in names in small letters, without "exposed" in front; valid in JavaScript, too
     * @param tone what they are about
     */
    public record Meaning(Pattern pattern, Tone tone) {
        private static Meaning of(String pattern, Tone tone) {
            return new Meaning(Pattern.compile(pattern), tone);
        }
    }

    /** What names mean; names that match none have no tone. */
    public static final List<Meaning> MEANINGS = List.of(
            Meaning.of("^forward$", COMPUTE),
            Meaning.of("^backward$", ATTENTION),
            Meaning.of("^device late$", COMPUTE),
            Meaning.of("^weights$", NORMALIZATION),
            Meaning.of("^baseline$", HOST),
            Meaning.of("^persistent$", CONVOLUTION),
            Meaning.of("^activation$", ELEMENTWISE),
            Meaning.of("^gradient$", ATTENTION),
            Meaning.of("^workspace$", COMPUTE),
            Meaning.of("^runtime", CONVOLUTION),
            Meaning.of("^data ?loader", ATTENTION),
            Meaning.of("^other computation", ELEMENTWISE),
            Meaning.of("^host|not told apart|unexplained", HOST),
            Meaning.of("idle|unknown", IDLE),
            Meaning.of("wait|late|unresolved|launch_latency|gap", WAITING),
            Meaning.of(
                    "communication|comm\\b|comm_|collective|nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all",
                    COMMUNICATION),
            Meaning.of("memory|memcpy|memset|cop(y|ies)|fill", MEMORY),
            Meaning.of("attention|sdpa", ATTENTION),
            Meaning.of("conv", CONVOLUTION),
            Meaning.of("norm", NORMALIZATION),
            Meaning.of("elementwise|reduc|softmax|dropout|activation", ELEMENTWISE),
            Meaning.of("gemm|comput|matmul|matri|kernel|busy", COMPUTE),
            Meaning.of("^(other|call|rest)", HOST),
            Meaning.of("operator", CONVOLUTION),
            Meaning.of("annotation|step", NORMALIZATION),
            Meaning.of("python|frame", ATTENTION));

    private static final Pattern EXPOSED = Pattern.compile("^exposed[ _]");

    private final String light;

    Tone(String light) {
        this.light = light;
    }

    /** {@return its colour on a light ground, as {@code RRGGBB}} */
    public String light() {
        return light;
    }

    /** {@return its name in the style sheet of pages} */
    public String variable() {
        return "--" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the name without what tones do not depend on: in small letters, without "exposed" in front}
     *
     * @param title the name of a series or part
     */
    public static String plain(String title) {
        return EXPOSED.matcher(title.toLowerCase(Locale.ROOT)).replaceFirst("");
    }

    /**
     * {@return the tone of a name, null for none}
     *
     * @param title the name of a series or part
     */
    public static @Nullable Tone of(String title) {
        String name = plain(title);
        for (Meaning meaning : MEANINGS) {
            if (meaning.pattern().matcher(name).find()) {
                return meaning.tone();
            }
        }
        return null;
    }
}
