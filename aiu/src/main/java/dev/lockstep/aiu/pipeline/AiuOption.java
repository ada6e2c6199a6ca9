// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An option of the AIU pipeline: one row that says how it is called on a command line, what it takes, what it means, and what
 * is usual. The command line and its help follow from the rows.
 *
 * @param <T> what its value is
 */
public final class AiuOption<T> {
    private static final List<AiuOption<?>> ALL_ROWS = new ArrayList<>();

    /** Names of files and patterns, separated by commas or blanks. */
    public static final AiuOption<String> INPUT = text(
            "-i,--input",
            "FILES",
            "Input files: names or patterns, separated by commas; - for standard input.",
            "",
            text -> text);

    public static final AiuOption<String> COMPILER_INFO =
            open("-c,--compiler_info", "PATHS", "Compiler logs, one per rank, or a folder.");
    public static final AiuOption<String> EVENT_FILTER =
            text("--event_filter", "FILTERS", "Drop events: attribute:regex, separated by commas.", "", text -> text);

    /** Which events are let in by number and time. */
    public static final AiuOption<EventLimit> LIMIT = text(
            "--event_limit",
            "JSON",
            "Object with skip, count, ts_start, ts_end, no_count_types.",
            EventLimit.NONE,
            EventLimit::of);

    /** A file, or the name of a bundled profile. */
    public static final AiuOption<String> PROFILE =
            open("-P,--profile", "FILE", "Which stages run: a file or a bundled profile.");

    public static final AiuOption<Boolean> VERIFY = flag("-V,--verify", "Only verify the events.");

    /** MHz of the counters TS1 to TS5. */
    public static final AiuOption<Double> SOC_MHZ = unnamed(1000.0);

    /** MHz of the cores, in whose cycles compilers count. */
    public static final AiuOption<Double> CORE_MHZ = unnamed(1100.0);

    public static final AiuOption<Boolean> SKIP_SYNC =
            flag("-M,--no_mp_sync", "Leave the clocks of several devices as they are.");

    /** By the ends of all-reduces, rates included. */
    public static final AiuOption<Boolean> SYNC_V2 = flag("-S,--use_mp_sync_v2", "Align clocks by the second method.");

    /** Events of a job are moved into the time for which the host waited for it. */
    public static final AiuOption<Boolean> FLEX_TS_FIX = flag("--flex_ts_fix", "Correct the times of each job.");

    /** Of {@link AiuOptions#NAMES_OF_COUNTERS}; where none are named, {@link AiuOptions#USUAL_COUNTERS}. */
    public static final AiuOption<List<String>> COUNTERS = unnamed(null);

    /** Sends are connected with their receives. */
    public static final AiuOption<Boolean> FLOW = flag("--flow", "Detect flows of collectives.");

    public static final AiuOption<Boolean> BUILD_COLLECTIVES =
            flag("-R,--build_coll_event", "Build an event for each collective; needs --flow.");
    public static final AiuOption<Boolean> SUMMARIZE_SEQUENCES =
            flag("--comm_summarize_seq", "Merge the steps of each transfer.");
    public static final AiuOption<Boolean> SKIP_EVENTS =
            flag("-k,--skip_events", "Leave some pairs of events out of the power.");
    public static final AiuOption<Boolean> POWER_STATS = flag("--power-stats", "Print statistics of the power.");

    /** Whether tables of kernels are written. */
    public static final AiuOption<Boolean> STATS = unless("-t,--no_stats", "Write no tables of statistics.");

    public static final AiuOption<Boolean> DROP_GLOBALS = flag("--drop_globals", "Drop wide host events.");
    public static final AiuOption<Boolean> KEEP_PREP = flag("--keep_prep", "Keep preparations besides their counter.");
    public static final AiuOption<Boolean> SPLIT_EVENTS =
            flag("-s,--split_events", "Obsolete: split events into their phases.");
    public static final AiuOption<PartialOverlap> OVERLAP = choice(
            "-O,--overlap",
            "What becomes of overlapping events.",
            PartialOverlap.TID,
            PartialOverlap.values(),
            PartialOverlap::word);
    public static final AiuOption<Integer> MAX_TID_STREAMS = number(
            "--max_tid_streams",
            "Further rows for each thread; -1 for no limit.",
            5,
            Integer.MIN_VALUE,
            Integer.MAX_VALUE);

    /** Letters of the phases that are kept; empty for all. */
    public static final AiuOption<String> PHASES =
            text("-F,--filter", "PHASES", "Keep only events of these phases.", "", text -> text);

    public static final AiuOption<Boolean> KEEP_NAMES = flag("--keep_names", "Keep numbers in names.");

    /** Whether names, categories and processes are made ready for viewers. */
    public static final AiuOption<Boolean> REFINE = unless("--disable_tb", "Do not refine names for TensorBoard.");

    public static final AiuOption<String> OUTPUT =
            open("-o,--output", "FILE", "Output file; side files derive from it.");
    public static final AiuOption<AiuFormat> FORMAT =
            choice("-f,--format", "Format of the output.", AiuFormat.JSON, AiuFormat.values(), AiuFormat::word);
    public static final AiuOption<Boolean> INTERMEDIATE =
            flag("-I,--intermediate", "Write what leaves each stage, too.");
    public static final AiuOption<Boolean> TENSOR_BOARD =
            flag("--tb", "Write for TensorBoard; changes the default profile.");

    /** Whether the trace itself is written. */
    public static final AiuOption<Boolean> WRITES_FILE = unless("--disable_file", "Do not write the trace.");

    public static final AiuOption<String> TIME_UNIT =
            choice("--time_unit", "Unit that viewers show.", "ns", new String[] {"ms", "ns"}, text -> text);

    /** What the trace records of the command. */
    public static final AiuOption<String> COMMAND_LINE = unnamed("");

    public static final AiuOption<Integer> LOG_LEVEL =
            number("-D,--loglevel", "0 errors, 1 warnings, 2 information, 3 debugging, 4 all.", 2, 0, 4);
    public static final AiuOption<Boolean> SYNC_TO_DEVICE = flag("-T,--sync_to_dev", "Accepted, without effect.");
    public static final AiuOption<String> AUTOPILOT_DATA =
            text("--autopilot_data", "FILE", "Accepted, without effect.", "ai_kernel.db", text -> text);
    public static final AiuOption<Boolean> IGNORE_CRITICAL =
            flag("--ignore_crit", "Go on where counters do not ascend.");

    /** All rows. */
    public static final List<AiuOption<?>> ALL = Collections.unmodifiableList(ALL_ROWS);

    /** What stands behind the name of an option. */
    public enum Takes {
        /** Nothing: the name alone sets it. */
        NOTHING,
        TEXT,
        NUMBER
    }

    private final String names;
    private final String label;
    private final String sentence;
    private final Takes takes;
    private final @Nullable T usual;
    private final Function<String, T> parse;

    private AiuOption(
            String names, String label, String sentence, Takes takes, @Nullable T usual, Function<String, T> parse) {
        this.names = names;
        this.label = label;
        this.sentence = sentence;
        this.takes = takes;
        this.usual = usual;
        this.parse = parse;
        ALL_ROWS.add(this);
    }

    private static AiuOption<Boolean> flag(String names, String sentence) {
        return new AiuOption<>(names, "", sentence, Takes.NOTHING, false, text -> true);
    }

    /** A flag that takes away what is usual. */
    private static AiuOption<Boolean> unless(String names, String sentence) {
        return new AiuOption<>(names, "", sentence, Takes.NOTHING, true, text -> false);
    }

    private static <T> AiuOption<T> text(
            String names, String label, String sentence, T usual, Function<String, T> parse) {
        return new AiuOption<>(names, label, sentence, Takes.TEXT, usual, parse);
    }

    /** Without a usual value. */
    private static AiuOption<String> open(String names, String label, String sentence) {
        return new AiuOption<>(names, label, sentence, Takes.TEXT, null, text -> text);
    }

    /** No option of the command line by itself. */
    private static <T> AiuOption<T> unnamed(@Nullable T usual) {
        return new AiuOption<>("", "", "", Takes.NOTHING, usual, text -> {
            throw new IllegalStateException(text);
        });
    }

    private static AiuOption<Integer> number(String names, String sentence, int usual, int least, int most) {
        return new AiuOption<>(names, "N", sentence, Takes.NUMBER, usual, text -> {
            int value = Integer.parseInt(text);
            if (value < least || value > most) {
                String name = names.substring(names.indexOf(',') + 1);
                throw invalid(name + " takes " + least + " to " + most + ", not " + value);
            }
            return value;
        });
    }

    private static <T> AiuOption<T> choice(
            String names, String sentence, T usual, T[] values, Function<T, String> word) {
        String known = String.join(", ", Arrays.stream(values).map(word).toList());
        return text(
                names,
                "WHAT",
                sentence + " One of " + known + ".",
                usual,
                text -> Arrays.stream(values)
                        .filter(value -> word.apply(value).equals(text))
                        .findFirst()
                        .orElseThrow(() -> invalid(names + " does not know '" + text + "'; it takes " + known)));
    }

    private static UserException invalid(String problem) {
        return new UserException(ErrorCode.OPTION_INVALID, problem, null);
    }

    /** Its names on a command line, separated by commas, the short one first; empty where it has none. */
    public String names() {
        return names;
    }

    /** What stands for its value in the help. */
    public String label() {
        return label;
    }

    /** What it means. */
    public String sentence() {
        return sentence;
    }

    /** What stands behind its name. */
    public Takes takes() {
        return takes;
    }

    /** Its value where it is not given; null where it then has none. */
    public @Nullable T usual() {
        return usual;
    }

    /**
     * The value that a text of the command line means; of what takes nothing, that of any text.
     *
     * @throws UserException when it means none
     */
    public T parse(String text) {
        return parse.apply(text);
    }
}
