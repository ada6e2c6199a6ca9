// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.session.RankSet.Member;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the tables of one run or several. {@code _lockstep.json} marks it and names the version of its tables;
 * {@code _runs/NAME.json} stands for a run that is there as a whole, and says what it was made from.
 *
 * @param path where it is
 */
public record DatasetFolder(Path path) {
    /** The file that marks a dataset. */
    public static final String MARK = "_lockstep.json";

    private static final String RUNS = "_runs";
    private static final String VERSION = "version";
    private static final String FILES = "files";
    private static final String COPIED = "Was it copied whole?";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");
    private static final int MOST_NAME = 100;

    /** How much of the beginning and of the end of a source tells whether it is the same file. */
    private static final int ENDS = 1 << 16;

    /** A name that a run may have, made of any text. */
    public static String nameOf(String text) {
        String name = text.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^[.-]+", "_");
        return name.isEmpty() ? "run" : name.substring(0, Math.min(MOST_NAME, name.length()));
    }

    /** Whether there is a dataset. */
    public boolean exists() {
        return Files.isRegularFile(path.resolve(MARK));
    }

    /**
     * Demands a dataset that this program can read.
     *
     * @throws TraceFormatException when it is none, or of a later version
     */
    public void demandReadable() throws IOException {
        Path mark = path.resolve(MARK);
        if (!exists()) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    path.toString(),
                    -1,
                    "this is no dataset: there is no " + MARK + " in it",
                    "'lockstep dataset RANKS... -o DIR' makes one.");
        }
        long version = numbers(mark, NamedFiles.settings(mark), "the JSON that marks a dataset")
                .getOrDefault(VERSION, -1L);
        if (version < 1 || version > DatasetTables.VERSION) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    mark.toString(),
                    -1,
                    "version " + version + " of the tables; this program knows those up to " + DatasetTables.VERSION,
                    "A newer version of lockstep reads it.");
        }
    }

    /** The whole numbers of a document by their names, behind the name of the object that they are in. */
    private static Map<String, Long> numbers(Path file, String text, String expected) throws IOException {
        Map<String, Long> numbers = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_INT && json.currentName() != null) {
                    String around = json.getParsingContext().getParent().getCurrentName();
                    numbers.put((around == null ? "" : around + "/") + json.currentName(), json.getLongValue());
                }
            }
        } catch (com.fasterxml.jackson.core.JacksonException e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    file.toString(),
                    e.getLocation() == null ? -1 : e.getLocation().getByteOffset(),
                    "expected " + expected,
                    COPIED);
        }
        return numbers;
    }

    /**
     * Demands that a run has all files of some tables.
     *
     * @param run its name
     * @throws TraceFormatException when one of the tables has none, or fewer than were written
     */
    public void demandWhole(String run, Iterable<DatasetTable> tables) throws IOException {
        Map<String, Long> written =
                numbers(runFile(run), NamedFiles.text(runFile(run)), "the JSON that describes a run");
        for (DatasetTable table : tables) {
            int found = files(table, run).size();
            long all = written.getOrDefault(FILES + "/" + table.name(), 1L); // earlier versions did not count them
            Path link = found < all ? link(table, run) : null;
            if (link != null) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        link.toString(),
                        -1,
                        "this is a link, and links in a dataset are not followed: the table " + table.name() + " has "
                                + found + " of its " + all + (all == 1 ? " file" : " files") + " without it",
                        "Put what it leads to in its place.");
            }
            if (found < all) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        path.resolve(table.name()).resolve("run=" + run).toString(),
                        -1,
                        "the table " + table.name() + " has " + found + " of its " + all
                                + (all == 1 ? " file" : " files") + ", as "
                                + path.relativize(runFile(run)) + " counts them",
                        COPIED);
            }
        }
    }

    /** The names of the runs that are there as a whole, sorted. */
    public List<String> runs() throws IOException {
        Path runs = path.resolve(RUNS);
        if (!Files.isDirectory(runs)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(runs)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, name.length() - ".json".length()))
                    .sorted()
                    .toList();
        }
    }

    /** The files of a table of a run, in the order of their rows; links are not followed. */
    public List<Path> files(DatasetTable table, String run) throws IOException {
        Path folder = path.resolve(table.name()).resolve("run=" + run);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> below = Files.walk(folder)) {
            return below.filter(file -> file.toString().endsWith(".parquet"))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }

    /** The first link that stands where a table of a run, or a part of it, should be; null for none. */
    public @Nullable Path link(DatasetTable table, String run) throws IOException {
        Path folder = path.resolve(table.name()).resolve("run=" + run);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Files.isSymbolicLink(folder) ? folder : null;
        }
        try (Stream<Path> below = Files.walk(folder)) {
            return below.filter(Files::isSymbolicLink).sorted().findFirst().orElse(null);
        }
    }

    /** All files that make the dataset up, those of runs that are not whole among them; none where there is no dataset. */
    public List<Path> files() throws IOException {
        if (!exists()) {
            return List.of();
        }
        List<Path> files = new ArrayList<>(List.of(path.resolve(MARK)));
        for (String run : runs()) {
            files.add(runFile(run));
        }
        for (DatasetTable table : DatasetTables.ALL) {
            Path folder = path.resolve(table.name());
            if (Files.isDirectory(folder)) {
                try (Stream<Path> below = Files.walk(folder)) {
                    below.filter(Files::isRegularFile).forEach(files::add);
                }
            }
        }
        return files;
    }

    /**
     * Demands that a run of this name can be added.
     *
     * @param run its name
     * @param named whether the user chose it; else only a new dataset is made
     * @throws UserException when it cannot
     */
    public void demandFree(String run, boolean named) throws IOException {
        if (!NAME.matcher(run).matches()) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "the run's name " + run
                                    + " has not letters, digits, dots, dashes and underscores alone, or more" + " than "
                                    + MOST_NAME,
                            null)
                    .about("run of a dataset");
        }
        if (!Files.exists(path)) {
            return;
        }
        if (!exists()) {
            if (Files.isDirectory(path) && isEmpty()) {
                return;
            }
            throw new UserException(
                    ErrorCode.OPTION_INVALID, path + ": there is something that is no dataset", "Name another folder.");
        }
        demandReadable();
        if (!named) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            path + ": there is a dataset already",
                            "With a name, the run is added to it.")
                    .about("run of a dataset");
        }
        if (runs().contains(run) || isBegun(run)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    path + ": there is a run " + run + " already",
                    runs().contains(run)
                            ? "Runs are added, never changed: choose another name."
                            : "It is not whole: remove run=" + run + " from the folders of the tables.");
        }
    }

    /** Whether nothing is there, or only what a program that was killed left: files in hidden folders, and folders around them. */
    private boolean isEmpty() throws IOException {
        try (Stream<Path> inside = Files.walk(path)) {
            return inside.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .allMatch(file -> path.relativize(file).toString().matches("(.*/)?\\..*"));
        }
    }

    private boolean isBegun(String run) {
        return DatasetTables.ALL.stream()
                .anyMatch(table -> Files.exists(path.resolve(table.name()).resolve("run=" + run)));
    }

    /** Where the document about a run stands. */
    public Path runFile(String run) {
        return path.resolve(RUNS).resolve(run + ".json");
    }

    /** Writes {@value #MARK}. */
    public static void writeMark(Path file) throws IOException {
        write(
                file,
                new JsonObject()
                        .with("format", "lockstep dataset")
                        .with(VERSION, DatasetTables.VERSION)
                        .with("ranks_per_block", DatasetTables.BLOCK)
                        .with(
                                "tables",
                                DatasetTables.ALL.stream()
                                        .map(DatasetTable::name)
                                        .toList()));
    }

    /**
     * Writes the document about a run.
     *
     * @param origin time 0 of the run in ns since 1970, 0 when unknown
     * @param tables where its tables have been written
     */
    public static void writeRun(
            Path file, String run, Level level, long origin, List<? extends Member<?>> members, DatasetFolder tables)
            throws IOException {
        JsonObject files = new JsonObject();
        for (DatasetTable table : DatasetTables.ALL) {
            files.with(table.name(), tables.files(table, run).size());
        }
        List<JsonObject> sources = new ArrayList<>();
        for (Member<?> member : members) {
            sources.add(source(member));
        }
        write(
                file,
                new JsonObject()
                        .with("run", run)
                        .with(VERSION, DatasetTables.VERSION)
                        .with("level", level.name().toLowerCase(Locale.ROOT))
                        .with("origin_ns", origin)
                        .with(FILES, files)
                        .with("sources", sources));
    }

    private static void write(Path file, JsonObject json) throws IOException {
        try (Writer out = NamedFiles.writer(file)) {
            JsonOut.pretty(json, out);
        }
    }

    private static JsonObject source(Member<?> member) throws IOException {
        JsonObject json = new JsonObject()
                .withKnown("rank", member.rank())
                .with("status", member.status().name().toLowerCase(Locale.ROOT));
        Path file = member.file();
        if (file != null) {
            json.with("file", member.source());
            if (member.kept() != null || Files.isReadable(file)) {
                json.with("bytes", Files.size(file)).with("sha256_of_ends", ends(file));
            }
        }
        return json;
    }

    /** The sum of the first and the last bytes of a file. */
    private static String ends(Path file) throws IOException {
        long size = Files.size(file);
        try (InputStream in = NamedFiles.in(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(in.readNBytes(ENDS));
            in.skipNBytes(Math.max(0, size - 2L * ENDS));
            digest.update(in.readNBytes(ENDS));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
