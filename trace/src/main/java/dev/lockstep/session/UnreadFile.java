// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.SourceStream;
import dev.lockstep.codec.ZipEntrySource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.OtherFormats;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import dev.lockstep.read.execution.ExecutionTraceReader;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Serializable;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of a run of which nothing could be read. Here alone it is decided whether that file is a trace, so that a rank of the
 * run is lost with it: it is one by its content, or by its name unless its content is known to be something else.
 *
 * @param failure why it could not be read
 * @param isTrace whether a rank is lost with it
 * @param stated the rank that its beginning states, -1 for none
 * @hidden for the program's own modules
 */
public record UnreadFile(IOException failure, boolean isTrace, int stated) implements Serializable {
    /** What stands in JSON of profilers alone. */
    private static final Pattern EVENTS = Pattern.compile(
            "\"traceEvents\"|\"ph\"\\s*:|\"deviceProperties\"|\"distributedInfo\"|\"baseTimeNanoseconds\"");

    /** Names that profilers give to traces and people to nothing else. */
    private static final Pattern OF_PROFILERS = Pattern.compile("(?i)\\.trace\\.json(\\.gz|\\.zip)?$");

    /**
     * {@return what is known of a file that could not be read}
     *
     * @param input the file
     * @param failure why it could not be read
     */
    @SuppressWarnings("exports")
    public static UnreadFile of(TraceInput input, IOException failure) {
        Diagnostics packing = new Diagnostics();
        try (PrefixedSource content = input.open(packing)) {
            return new UnreadFile(
                    failure, isTrace(input, content, packing, failure), RankFiles.statedIn(content.head()));
        } catch (IOException e) {
            return lost(failure);
        }
    }

    /**
     * {@return a file into which nobody could look: it may be a trace, and counts as one}
     *
     * @param failure why not
     */
    public static UnreadFile lost(IOException failure) {
        return new UnreadFile(failure, true, -1);
    }

    /** A file that holds no rank's events, whatever its name. */
    static UnreadFile noTrace(IOException failure) {
        return new UnreadFile(failure, false, -1);
    }

    private static boolean isTrace(TraceInput input, PrefixedSource content, Diagnostics packing, IOException failure)
            throws IOException {
        byte[] head = content.head();
        if (ExecutionTraceReader.recognises(head)) {
            return false;
        }
        Optional<OtherFormats.Other> other = OtherFormats.of(head);
        if (other.isPresent()) {
            return other.get().isRecording();
        }
        TraceReader reader = Registry.recognising(head).orElse(null);
        if (reader == null) {
            return isTraceByName(input);
        }
        boolean refused = failure instanceof TraceFormatException e && e.code() == ErrorCode.FORMAT_UNKNOWN;
        if (!reader.isOfRank()) {
            return !refused && isTraceByName(input); // a few bytes at random may look like it
        }
        if (!reader.format().equals(TraceFormat.KINETO)) {
            return !refused;
        }
        if (EVENTS.matcher(new String(head, StandardCharsets.ISO_8859_1)).find()) {
            return true;
        }
        return isTraceByName(input) && (isNameOfProfilers(input) || !isOtherJson(content, packing));
    }

    /** Whether the ending is that of a trace; of an archive, that of its first file, which is what would be read. */
    private static boolean isTraceByName(TraceInput input) {
        String inside = archived(input.path());
        return new TraceFormats().isTrace(inside == null ? fileName(input) : inside);
    }

    private static boolean isNameOfProfilers(TraceInput input) {
        return OF_PROFILERS.matcher(fileName(input)).find()
                || RankNames.rankOf(named(input)).isPresent();
    }

    private static String fileName(TraceInput input) {
        return String.valueOf(named(input).getFileName());
    }

    /** The path by which people know the file: what was fetched from elsewhere lies under another here. */
    private static Path named(TraceInput input) {
        return input.name().equals(input.path().toString()) ? input.path() : Path.of(input.name());
    }

    /** Whether the content is a sound document that says something, and none of a profiler. */
    private static boolean isOtherJson(PrefixedSource content, Diagnostics packing) throws IOException {
        long tokens = 0;
        long marks = 0;
        InputStream bytes = new SourceStream(content);
        try (Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
                JsonParser parser = Json.FACTORY.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                tokens += token.isScalarValue() ? 1 : 0;
                marks += token == JsonToken.FIELD_NAME && isOfEvents(parser.currentName()) ? 1 : 0;
            }
        } catch (JsonProcessingException | CharConversionException | CharacterCodingException e) {
            return false;
        }
        return tokens > 0 && marks == 0 && !packing.hasLoss();
    }

    private static boolean isOfEvents(String key) {
        return EVENTS.matcher('"' + key + "\":").matches();
    }

    /** The name of the first file in an archive; null for what is none, or has none. */
    private static @Nullable String archived(Path path) {
        try (InputStream file = NamedFiles.in(path);
                ZipInputStream zip = new ZipInputStream(file)) {
            ZipEntry entry = ZipEntrySource.first(zip);
            return entry == null ? null : entry.getName();
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}
