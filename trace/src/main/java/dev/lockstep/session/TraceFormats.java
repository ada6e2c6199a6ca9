// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.OtherFormats;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The formats of traces that can be read, and what names of files say by them, before any file is opened. What a file
 * is in truth, its content tells. Other modules are asked for theirs only about names that fit no built-in format,
 * since to find them takes a while. Threads may share it.
 */
public final class TraceFormats {
    /** Written beside synthetic traces; no trace itself. */
    private static final String TRUTH = "truth.json";

    private static final List<TraceFormat> BUILT_IN =
            Builtins.READERS.reversed().stream().map(TraceReader::format).toList();

    /** Formats of files that belong to no rank of a run. */
    private static final List<TraceFormat> APART = Builtins.READERS.stream()
            .filter(reader -> !reader.isOfRank())
            .map(TraceReader::format)
            .toList();

    private @Nullable List<TraceFormat> brought;

    /** Knows what is built in; other modules are asked when they are needed. */
    public TraceFormats() {}

    /** {@return formats that come with the program, the most general one first, then those of other modules} */
    public List<TraceFormat> all() {
        return Stream.concat(BUILT_IN.stream(), brought().stream()).toList();
    }

    /** {@return the endings of names of traces as a sentence of a hint} */
    public String hint() {
        List<String> endings = all().stream()
                .flatMap(format -> format.allEndings().stream())
                .distinct()
                .toList();
        int last = endings.size() - 1;
        return "Traces end in " + String.join(", ", endings.subList(0, last)) + " or " + endings.get(last) + ".";
    }

    /**
     * {@return the most general format that a file of this name may have}
     *
     * @param name name of a file, with or without its path
     */
    public Optional<TraceFormat> named(String name) {
        Predicate<TraceFormat> fits = format -> format.mayBe(name);
        return BUILT_IN.stream()
                .filter(fits)
                .findFirst()
                .or(() -> brought().stream().filter(fits).findFirst());
    }

    /**
     * {@return whether the name is that of a trace}
     *
     * @param file need not exist
     */
    public boolean isTrace(Path file) {
        return isTrace(nameOf(file));
    }

    /**
     * {@return whether a file in the folder of a run is looked at} Besides traces, recordings are whose format or packing
     * nothing here reads: they must be named.
     *
     * @param file need not exist
     */
    public boolean isOfRun(Path file) {
        String name = nameOf(file);
        String unpacked = OtherFormats.unpacked(name);
        boolean archive = !unpacked.equals(name) && unpacked.indexOf('.') < 0;
        return OtherFormats.isName(name) || archive || isTrace(unpacked);
    }

    /** Whether a name is that of a trace, as {@link #isTrace(Path)}. */
    boolean isTrace(String name) {
        Optional<TraceFormat> format = named(name);
        return !name.equalsIgnoreCase(TRUTH) && format.isPresent() && !APART.contains(format.get());
    }

    /**
     * {@return the size of a file's content in bytes, a guess where it is packed; 0 for a file that is not there}
     *
     * @param file the file
     */
    public long unpackedSize(Path file) {
        try {
            return Files.size(file) * expansion(nameOf(file));
        } catch (IOException e) {
            return 0;
        }
    }

    private int expansion(String name) {
        return Packing.packsAny(name)
                ? Packing.EXPANSION
                : named(name).map(TraceFormat::expansion).orElse(1);
    }

    /**
     * {@return the file's name without all that endings of traces add: {@code a} of {@code a.pt.trace.json.gz}}
     *
     * @param file need not exist
     */
    public String stem(Path file) {
        Stream<String> packings = Stream.of(Packing.values()).map(Packing::ending);
        Stream<String> formats = Stream.concat(BUILT_IN.stream(), named(nameOf(file)).stream())
                .flatMap(format -> format.endings().stream());
        String stem = nameOf(file);
        for (String ending : Stream.of(packings, formats, Stream.of(".pt.trace", ".trace"))
                .flatMap(endings -> endings)
                .distinct()
                .toList()) {
            int length = stem.length() - ending.length();
            boolean ends = length > 0 && stem.regionMatches(true, length, ending, 0, ending.length());
            stem = ends ? stem.substring(0, length) : stem;
        }
        return stem;
    }

    /** The format of files that belong to no rank of a run; empty for all others. */
    static Optional<TraceFormat> apart(String id) {
        return APART.stream().filter(format -> format.id().equals(id)).findFirst();
    }

    private synchronized List<TraceFormat> brought() {
        List<TraceFormat> formats = brought;
        if (formats == null) {
            formats = new ArrayList<>();
            for (TraceReader reader : ServiceLoader.load(TraceReader.class)) {
                formats.add(reader.format());
            }
            brought = formats;
        }
        return formats;
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }
}
