// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.Nesting;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.inference.CaptureEntry;
import dev.lockstep.inference.CapturedGraph;
import dev.lockstep.inference.GraphCaptures;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder of traces that were recorded while an engine captured its graphs. The file {@code execution_details.json}
 * says which trace is for which batch; without it the traces tell. A few captures are kept in memory.
 */
final class CaptureFolder implements GraphCaptures {
    private static final String INDEX = "execution_details.json";
    private static final int KEPT = 4;

    private final Session session;
    private final Path folder;
    private final Nesting nesting;
    private final boolean framed;
    private final int rank;
    private final List<CaptureEntry> entries;
    private final Map<String, List<CapturedGraph>> recent = new LinkedHashMap<>(KEPT * 2, 0.75f, true);

    /**
     * A folder.
     *
     * @param nesting how call trees of captures are built
     * @param framed whether only what stands inside a frame or an operator counts
     * @param rank whose captures are wanted first
     */
    CaptureFolder(Session session, Path folder, Nesting nesting, boolean framed, int rank) throws IOException {
        this.session = session;
        this.folder = folder;
        this.nesting = nesting;
        this.framed = framed;
        this.rank = rank;
        if (!Files.isDirectory(folder)) {
            throw new UserException(
                            ErrorCode.INPUT_NOT_FOUND,
                            folder + " is no folder",
                            "Give the folder with the traces of graph captures.")
                    .about("captures");
        }
        Path index = folder.resolve(INDEX);
        entries = Files.isRegularFile(index) ? listed(index) : classified();
        if (entries.isEmpty()) {
            throw new UserException(
                            ErrorCode.NOTHING_TO_DO,
                            folder + ": no traces of graph captures here",
                            "Give the folder with the traces of graph captures.")
                    .about("captures");
        }
    }

    @Override
    public @Nullable List<CapturedGraph> of(long batch, int launches) throws IOException {
        CaptureEntry entry = smallest(batch, launches == 1);
        entry = entry == null ? smallest(batch, launches != 1) : entry;
        return entry == null ? null : graphs(entry.file());
    }

    /** Of the captures of this rank the smallest that will do; where it has none, of any other. */
    private @Nullable CaptureEntry smallest(long batch, boolean whole) {
        return entries.stream()
                .filter(entry -> entry.whole() == whole && entry.batch() >= batch)
                .min(Comparator.comparing((CaptureEntry entry) -> entry.rank() >= 0 && entry.rank() != rank)
                        .thenComparingLong(CaptureEntry::batch))
                .orElse(null);
    }

    private List<CapturedGraph> graphs(String file) throws IOException {
        List<CapturedGraph> known = recent.get(file);
        if (known == null) {
            known = CapturedGraph.of(read(file), new CallTree.Key(nesting, true), framed);
            recent.put(file, known);
            if (recent.size() > KEPT) {
                recent.remove(recent.keySet().iterator().next());
            }
        }
        return known;
    }

    private Trace read(String file) throws IOException {
        return session.read(TraceInput.of(folder.resolve(file)), bytes -> {}).getFirst();
    }

    /** What the index says, without files that are not there. */
    private List<CaptureEntry> listed(Path index) throws IOException {
        List<CaptureEntry> found = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(NamedFiles.text(index))) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.START_OBJECT) {
                    CaptureEntry entry = entry(json);
                    if (entry != null && Files.isRegularFile(folder.resolve(entry.file()))) {
                        found.add(entry);
                    }
                }
            }
        } catch (JsonProcessingException e) {
            throw new UserException(
                    ErrorCode.FORMAT_CORRUPT,
                    index + " is not valid JSON: " + Json.problem(e),
                    "Without that file the traces themselves tell what they are for.",
                    e);
        }
        return found;
    }

    private static @Nullable CaptureEntry entry(JsonParser json) throws IOException {
        String file = "";
        long batch = -1;
        String mode = "";
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "file" -> file = json.getValueAsString("");
                case "batch_size" -> batch = json.getValueAsLong(-1);
                case "mode" -> mode = json.getValueAsString("");
                default -> json.skipChildren();
            }
        }
        boolean known = mode.equals("FULL") || mode.equals("PIECEWISE");
        boolean plain =
                !file.isEmpty() && file.indexOf('\0') < 0 && Path.of(file).getNameCount() == 1 && !file.equals("..");
        if (!known || !plain || batch < 0) {
            return null;
        }
        int rank = RankNames.rankOf(Path.of(file)).orElse(-1);
        return new CaptureEntry(file, batch, mode.equals("FULL"), rank);
    }

    private List<CaptureEntry> classified() throws IOException {
        List<String> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.map(path -> String.valueOf(path.getFileName()))
                    .filter(TraceFormat.KINETO::mayBe)
                    .sorted()
                    .toList();
        }
        List<CaptureEntry> found = new ArrayList<>();
        for (String file : files) {
            CaptureEntry entry = CaptureEntry.of(file, read(file));
            if (entry != null) {
                found.add(entry);
            }
        }
        return found;
    }
}
