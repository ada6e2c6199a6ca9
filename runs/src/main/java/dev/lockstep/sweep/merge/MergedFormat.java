// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.session.Registry;
import java.util.Arrays;
import java.util.List;

/**
 * A format of merged traces, by the ending of their files.
 *
 * @param ending with its dot, that of a packing included: {@code .json.gz}
 */
public record MergedFormat(String ending) {
    /** What merged traces are written in unless something else is asked for. */
    public static final MergedFormat STANDARD =
            new MergedFormat(TraceFormat.PERFETTO.endings().getFirst());

    boolean isPacked() {
        return Packing.GZIP.packs(ending);
    }

    /** What users call it: the ending without its dot. */
    public String word() {
        return ending.substring(1);
    }

    /** The words of all formats that are written, with commas between them. */
    public static String words(Registry registry) {
        return String.join(
                ", ",
                registry.traceEndings().stream()
                        .map(ending -> new MergedFormat(ending).word())
                        .toList());
    }

    /**
     * The formats that a user names, separated by commas.
     *
     * @throws UserException for a name that is not known, or for none
     */
    public static List<MergedFormat> parse(String given, Registry registry) {
        return Arrays.stream(given.split(",", -1))
                .map(name -> named(name.strip(), registry))
                .distinct()
                .toList();
    }

    private static MergedFormat named(String name, Registry registry) {
        return registry.traceEndings().stream()
                .map(MergedFormat::new)
                .filter(format -> format.word().equals(name) || format.ending().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserException(
                                ErrorCode.OPTION_INVALID,
                                "no merged files are written as '" + name + "'",
                                "known: " + words(registry))
                        .about("formats of merged files"));
    }
}
