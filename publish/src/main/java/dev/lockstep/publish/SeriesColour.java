// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The colours of series in charts of workbooks: those that pages give to the same names in light ({@code report.js}). */
final class SeriesColour {
    private static final String COMPUTE = "4580D4";
    private static final String COMMUNICATION = "C47F1F";
    private static final String MEMORY = "4A2318";
    private static final String HOST = "B0B7C0";
    private static final String ATTENTION = "714092";
    private static final String CONVOLUTION = "4C798E";
    private static final String NORMALIZATION = "7A7C52";
    private static final String ELEMENTWISE = "632458";
    private static final String[] HUES = {ATTENTION, CONVOLUTION, NORMALIZATION, ELEMENTWISE};
    private static final Pattern EXPOSED = Pattern.compile("^exposed[ _]");
    private static final Pattern NUMBERED = Pattern.compile("(\\d{1,9})$");

    static final Map<Pattern, String> MEANINGS = new LinkedHashMap<>();

    static {
        means("^forward$", COMPUTE);
        means("^backward$", ATTENTION);
        means("^device late$", COMPUTE);
        means("^weights$", NORMALIZATION);
        means("^baseline$", HOST);
        means("^persistent$", CONVOLUTION);
        means("^activation$", ELEMENTWISE);
        means("^gradient$", ATTENTION);
        means("^workspace$", COMPUTE);
        means("^runtime", CONVOLUTION);
        means("^data ?loader", ATTENTION);
        means("^other computation", ELEMENTWISE);
        means("^host|not told apart|unexplained", HOST);
        means("idle|unknown", "E4E8EC");
        means("wait|late|unresolved|launch_latency|gap", "D5DAE0");
        means(
                "communication|comm\\b|comm_|collective|nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all",
                COMMUNICATION);
        means("memory|memcpy|memset|cop(y|ies)|fill", MEMORY);
        means("attention|sdpa", ATTENTION);
        means("conv", CONVOLUTION);
        means("norm", NORMALIZATION);
        means("elementwise|reduc|softmax|dropout|activation", ELEMENTWISE);
        means("gemm|comput|matmul|matri|kernel|busy", COMPUTE);
        means("^(other|call|rest)", HOST);
        means("operator", CONVOLUTION);
        means("annotation|step", NORMALIZATION);
        means("python|frame", ATTENTION);
    }

    private SeriesColour() {}

    private static void means(String pattern, String colour) {
        MEANINGS.put(Pattern.compile(pattern), colour);
    }

    /** Red, green and blue of a name's colour, in hexadecimal digits. */
    static String of(String title) {
        String name = EXPOSED.matcher(title.toLowerCase(Locale.ROOT)).replaceFirst("");
        for (Map.Entry<Pattern, String> meaning : MEANINGS.entrySet()) {
            if (meaning.getKey().matcher(name).find()) {
                return meaning.getValue();
            }
        }
        var number = NUMBERED.matcher(name);
        int hash = hash(name);
        long look = number.find() ? Long.parseLong(number.group(1)) : Integer.toUnsignedLong(hash ^ (hash >>> 16));
        return HUES[(int) (look % HUES.length)];
    }

    /** 32 bits of FNV-1a. */
    private static int hash(String text) {
        int hash = 0x811c9dc5;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        return hash;
    }
}
